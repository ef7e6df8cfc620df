#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

// A message is an envelope, which says how long the body is, and the body: behind the envelope when
// it is short, in one or more messages of their own when it is long. So the receiver knows the
// envelope before the body comes, and has it received where it is wanted.

constexpr int kEnvelopeTag = 1;
constexpr int kBodyTag = 2;

struct WireHead {
  Envelope envelope;
  std::uint64_t body_bytes;
  std::int32_t source;
};

/// Below the size up to which Open MPI sends at once, without asking the receiver (4 KiB over
/// shared memory, less its own header).
constexpr std::size_t kWireBytes = 3968;
constexpr std::size_t kInlineBytes = kWireBytes - sizeof(WireHead);

using Wire = std::array<std::byte, kWireBytes>;

}  // namespace odsgd
