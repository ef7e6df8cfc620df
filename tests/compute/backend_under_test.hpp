#pragma once

#include <memory>

#include "odsgd/compute/backend.hpp"

namespace odsgd {

/// The backend that this test program is about.
std::unique_ptr<Backend> backend_under_test(int threads = 1);

}  // namespace odsgd
