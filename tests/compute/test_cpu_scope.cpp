#include <doctest/doctest.h>
#include <omp.h>

#include <limits>

#include "compute/backend_under_test.hpp"
#include "compute/op_on_plain_memory.hpp"
#include "compute/reference.hpp"

using namespace odsgd;

namespace {

const ConvolutionShape kShape{.x = {.n = 8, .c = 3, .h = 12, .w = 12}, .channels = 6, .kernel = 5};

std::vector<float> weight_gradient(Backend& backend) {
  OpOnPlainMemory op(backend, backend.convolution(kShape), kShape.x, kShape.y());
  op.forward(reference::noise(kShape.x.floats(), 1), reference::noise(kShape.weight_floats(), 2),
             reference::noise(6, 3));
  return op.backward(reference::noise(kShape.y().floats(), 4)).weight;
}

}  // namespace

TEST_CASE("cpu: the caller's number of OpenMP threads neither matters nor changes") {
  const int before = omp_get_max_threads();
  const auto backend = backend_under_test(1);
  omp_set_num_threads(1);
  const std::vector<float> want = weight_gradient(*backend);

  omp_set_num_threads(4);
  const std::vector<float> got = weight_gradient(*backend);

  CHECK(got == want);
  CHECK(omp_get_max_threads() == 4);
  CHECK(weight_gradient(*backend_under_test(4)) != want);  // or this test could not fail
  omp_set_num_threads(before);
}

TEST_CASE("cpu: denormals are zero within an op and keep their value outside") {
  volatile float tiny = std::numeric_limits<float>::min();
  const TensorShape shape{.n = 1, .c = 1};
  for (const int threads : {1, 2}) {
    const auto backend = backend_under_test(threads);
    OpOnPlainMemory op(*backend, backend->fully_connected({.x = shape, .outputs = 1}), shape,
                       shape);

    const std::vector<float> y =
        op.forward(std::vector<float>{tiny}, std::vector<float>{0.5F}, std::vector<float>{0.0F});

    CHECK(y[0] == 0.0F);
    CHECK(tiny * 0.5F > 0.0F);
  }
}
