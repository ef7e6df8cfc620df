#pragma once

#include <cstddef>

#include "odsgd/bench/samples.hpp"

namespace odsgd {

/// Bytes per second that `threads` threads move together, measured `repetitions` times after a
/// warm-up: the limits that a parameter server on this machine is held against.
///
/// Arrays have `floats` floats over all threads; each thread works on a contiguous share of its
/// own, which it has touched first. The threads are started once and begin each repetition
/// together; its time is from the first one's begin to the last one's end. Throws Error on a count
/// of 0 or more threads than floats.

/// b = a by memcpy. Counts what is copied, once: 4 bytes a float.
Samples measure_copy(std::size_t floats, int threads, int repetitions);

/// a = b + s c, the triad of STREAM (McCalpin, 1995). Counts the three arrays: 12 bytes a float.
Samples measure_triad(std::size_t floats, int threads, int repetitions);

/// a += b. Counts what is added, once: 4 bytes a float.
Samples measure_sum(std::size_t floats, int threads, int repetitions);

}  // namespace odsgd
