#include "factories.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd {

std::unique_ptr<Backend> make_cuda_backend(int /*threads*/) {
  fail("device cuda: this odsgd was built without CUDA (use --device cpu)");
}

bool has_cuda() { return false; }

}  // namespace odsgd
