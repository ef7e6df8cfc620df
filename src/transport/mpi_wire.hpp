#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

// A message is an envelope, which says how long the body is, and the body: behind the envelope when
// it is short, in one or more messages of their own when it is long. So the receiver knows the
// envelope before the body comes, has it received where it is wanted, and chooses which of the
// announced bodies it receives first: each has a tag of its own.

constexpr int kEnvelopeTag = 1;
constexpr int kFirstBodyTag = 2;
constexpr int kBodyTags = 30'000;  // all below what any MPI has; those of a way are used in turn

struct WireHead {
  Envelope envelope;
  std::uint64_t body_bytes;
  std::int32_t source;
  std::int32_t urgency;
  std::int32_t tag;  // of the body
};

/// Below the size up to which Open MPI sends at once, without asking the receiver (4 KiB over
/// shared memory, less its own header).
constexpr std::size_t kWireBytes = 3968;
constexpr std::size_t kInlineBytes = kWireBytes - sizeof(WireHead);

using Wire = std::array<std::byte, kWireBytes>;

}  // namespace odsgd
