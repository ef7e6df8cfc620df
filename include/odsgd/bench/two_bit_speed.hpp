#pragma once

#include <cstddef>

#include "odsgd/bench/samples.hpp"

namespace odsgd {

/// How fast the 2-bit codec's kernels are: bytes per second, counted as the floats that are written
/// or read with it, 4 bytes each. Measured as the limits in memory_limits.hpp are.

/// The quantizer: reads g, reads and writes the residual.
Samples measure_two_bit_encode(std::size_t floats, int threads, int repetitions);

/// a += what was sent, as a server sums pushes.
Samples measure_two_bit_decode_add(std::size_t floats, int threads, int repetitions);

}  // namespace odsgd
