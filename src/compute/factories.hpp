#pragma once

#include <memory>

#include "odsgd/compute/backend.hpp"
#include "odsgd/compute/pretend_time.hpp"

namespace odsgd {

std::unique_ptr<Backend> make_cpu_backend(int threads);

/// Throws Error in a build without CUDA.
std::unique_ptr<Backend> make_cuda_backend(int threads);

/// Has this build a CUDA backend?
bool has_cuda();

/// A device that takes time by `clock` and computes nothing. Throws Error on times and shares that
/// are none.
std::unique_ptr<Backend> make_synthetic_backend(const DeviceOptions& options, SleepClock clock);

}  // namespace odsgd
