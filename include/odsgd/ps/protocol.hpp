#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "odsgd/base/types.hpp"
#include "odsgd/ps/codec.hpp"
#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// What a message is for.
enum class MessageKind : std::uint16_t {
  kPush,       ///< worker to server: the gradient of one slice in one step, and perhaps a pull
  kPull,       ///< worker to server: asks for one slice, once it holds so many steps of all workers
  kWeights,    ///< server to worker: answers a pull
  kStop,       ///< worker to server: nothing more will come, and nothing is asked for any more
  kStopped,    ///< server to worker: has heard that, and will send nothing more either
  kHeartbeat,  ///< between worker and server: the sender is alive
  kSum,        ///< from oneself: the sum over all workers of a bucket of slices in one step
  kNote,       ///< between any ranks, about the run: anything but gradients and weights
};

/// The envelope of every message; the body is a gradient, weights or a note's content. All ranks
/// run on machines of one byte order: it is not converted.
struct Header {
  MessageKind kind{};
  Codec codec = Codec::kFloat32;  ///< push: how the body's floats are written
  std::uint32_t slice = 0;        ///< number in the shard map; in a sum: its bucket; in a note: its
                                  ///< topic
  Clock clock = 0;                ///< push, sum: its step; weights: their clock
  Clock base_clock = 0;      ///< push: the clock of the weights that the gradient was taken with;
                             ///< sum: the oldest of this rank's part
  std::uint64_t ticket = 0;  ///< pull, push that pulls: the worker's number for it; weights: the
                             ///< same number; 0: nothing is asked for
  Clock at_least = 0;        ///< with a ticket: not answered before the pushes of so many steps
                             ///< have been applied, of every worker
  bool together = false;     ///< pull: not answered before every worker has sent one like it
};

Envelope envelope_of(const Header& header);
Header header_of(const Message& message);

/// The body as floats. Throws Error unless it holds exactly `count` of them.
std::span<const float> floats_of(const Payload& body, std::size_t count);

/// Which message goes first when several wait for the same way.
enum class Priority {
  kFifo,   ///< the one that was posted first
  kLayer,  ///< the one whose key the forward pass reads first
};

/// Names on the command line, in the order of the enumerators.
const std::vector<std::string>& priority_names();
Priority priority_of(const std::string& name);

/// Urgencies of messages: signs of life go first, then what is said about the run, all keys, and a
/// farewell.
constexpr int kHeartbeatUrgency = -2;
constexpr int kNoteUrgency = -1;
constexpr int kStopUrgency = INT32_MAX;
int urgency_of(Priority priority, Key key);

}  // namespace odsgd
