#pragma once

#include <memory>

#include "odsgd/compute/backend.hpp"

namespace odsgd {

std::unique_ptr<Backend> make_cpu_backend(int threads);

/// Throws Error in a build without CUDA.
std::unique_ptr<Backend> make_cuda_backend(int threads);

/// Has this build a CUDA backend?
bool has_cuda();

}  // namespace odsgd
