#pragma once

#include <cstdint>

namespace odsgd {

/// Index of a parameter tensor, in the order of the layers that own them.
using Key = std::uint32_t;

/// A step, a round, or how often a slice of the global weights was updated. W^t has clock t.
using Clock = std::uint64_t;

}  // namespace odsgd
