#include <doctest/doctest.h>

#include "compute/backend_under_test.hpp"
#include "compute/op_on_plain_memory.hpp"
#include "compute/reference.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;

namespace {

// Windows side by side, overlapping, with gaps, over the whole image, and with a rest left out.
const PoolingShape kShapes[] = {
    {.x = {.n = 3, .c = 20, .h = 24, .w = 24}, .kernel = 2, .stride = 2},
    {.x = {.n = 5, .c = 50, .h = 8, .w = 8}, .kernel = 2, .stride = 2},
    {.x = {.n = 2, .c = 3, .h = 7, .w = 10}, .kernel = 3, .stride = 2},
    {.x = {.n = 1, .c = 16, .h = 9, .w = 6}, .kernel = 2, .stride = 3},
    {.x = {.n = 3, .c = 1, .h = 5, .w = 5}, .kernel = 3, .stride = 1},
    {.x = {.n = 2, .c = 64, .h = 8, .w = 8}, .kernel = 8, .stride = 1},
};

std::vector<PoolingShape> shapes() {
  std::vector<PoolingShape> all;
  for (PoolingShape shape : kShapes) {
    shape.kind = PoolingKind::kMax;
    all.push_back(shape);
    shape.kind = PoolingKind::kAverage;
    all.push_back(shape);
  }
  return all;
}

}  // namespace

TEST_CASE("pooling: forward and gradient equal the naive loop") {
  for (const PoolingShape& shape : shapes()) {
    CAPTURE(shape.x.text());
    CAPTURE(static_cast<int>(shape.kind));
    const auto backend = backend_under_test();
    OpOnPlainMemory op(*backend, backend->pooling(shape), shape.x, shape.y());
    const std::vector<float> x = reference::distinct(shape.x.floats(), 1);
    const std::vector<float> dy = reference::noise(shape.y().floats(), 2);

    const std::vector<float> y = op.forward(x, {}, {});
    const PlainGradients got = op.backward(dy);

    CHECK(reference::relative_error(y, reference::pooling(shape, x)) < 1e-6);
    CHECK(reference::relative_error(got.dx, reference::pooling_backward(shape, x, dy)) < 1e-6);
  }
}

TEST_CASE("pooling: backward is the slope of forward") {
  for (const PoolingShape& shape : shapes()) {
    CAPTURE(shape.x.text());
    CAPTURE(static_cast<int>(shape.kind));
    const auto backend = backend_under_test();
    OpOnPlainMemory op(*backend, backend->pooling(shape), shape.x, shape.y());
    const std::vector<float> dy = reference::noise(shape.y().floats(), 2);
    // Any two values differ by one at least, so a quarter up or down changes no maximum. The values
    // go into the thousands, which is why their differences are no more precise.
    std::vector<float> x = reference::distinct(shape.x.floats(), 1);
    for (float& value : x) value *= static_cast<float>(x.size());

    CHECK(finite_difference_error(op, x, {}, {}, dy, 0.25F) < 2e-2);
  }
}

TEST_CASE("pooling: of equal values in a window one alone gets the gradient") {
  const PoolingShape shape{.x = {.n = 1, .c = 2, .h = 2, .w = 2}, .kernel = 2, .stride = 2};
  const auto backend = backend_under_test();
  OpOnPlainMemory op(*backend, backend->pooling(shape), shape.x, shape.y());

  op.forward(std::vector<float>(8, 1.0F), {}, {});
  const PlainGradients got = op.backward(std::vector<float>{3.0F, 5.0F});

  CHECK(got.dx == std::vector<float>{3, 0, 0, 0, 5, 0, 0, 0});
}

TEST_CASE("pooling: a window that does not fit is an error") {
  const auto backend = backend_under_test();
  CHECK_THROWS_WITH_AS(backend->pooling({.x = {.n = 1, .c = 2, .h = 2, .w = 1}, .kernel = 2}),
                       "pooling: got x 1x2x2x1, want room for kernel 2", Error);
}
