#include "backend_under_test.hpp"

namespace odsgd {

std::unique_ptr<Backend> backend_under_test(int threads) {
  return make_backend({.name = "cpu", .threads = threads});
}

}  // namespace odsgd
