#pragma once

#include <cstddef>

#include "odsgd/bench/samples.hpp"

namespace odsgd {

/// The fused update of the synchronous servers on one thread: `workers` gradients, V and W of
/// `floats` each, slice by slice, more than the caches hold. Bytes per second, counted as the
/// floats that it must read and write: the gradients, V and W read, V and W written.
Samples measure_update(std::size_t floats, std::size_t slice_floats, int workers, int repetitions);

}  // namespace odsgd
