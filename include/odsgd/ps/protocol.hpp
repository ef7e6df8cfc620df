#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "odsgd/base/types.hpp"
#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// What a message is for.
enum class MessageKind : std::uint16_t {
  kPush,     ///< worker to server: the gradient of one slice in one step
  kPull,     ///< worker to server: asks for one slice with at least a given clock
  kWeights,  ///< server to worker: answers a pull
  kStop,     ///< worker to server: nothing more will come
  kNote,     ///< between any ranks, about the run: anything but gradients and weights
};

/// How the floats behind a header are written. Only float32 exists as yet.
enum class Codec : std::uint16_t { kFloat32 };

/// The first 64 bytes of every message; the content follows, so that it is aligned like the message
/// itself. All ranks run on machines of one byte order: it is not converted.
struct alignas(64) Header {
  MessageKind kind{};
  Codec codec{};
  std::uint32_t slice = 0;  ///< number in the shard map; in a note: its topic
  Clock clock = 0;          ///< push: its step; pull: the clock asked for; weights: their clock
  Clock base_clock = 0;     ///< push: the clock of the weights that the gradient was taken with
  bool together = false;    ///< pull: not answered before every worker has sent one like it
};
static_assert(sizeof(Header) == 64);

/// A message of this header and content, ready to post. The content is copied.
Payload make_message(BufferPool& buffers, const Header& header,
                     std::span<const std::byte> content = {});

/// The header of a message. Throws Error when the message is too short for one.
const Header& header_of(const Message& message);

/// The header of a payload that make_message() made, or whose message has been checked.
const Header& header_of(const Payload& payload);

std::span<const std::byte> content_of(const Payload& payload);

/// The content as floats. Throws Error unless it holds exactly `count` of them.
std::span<const float> floats_of(const Payload& payload, std::size_t count);

}  // namespace odsgd
