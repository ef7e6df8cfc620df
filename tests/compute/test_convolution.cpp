#include <doctest/doctest.h>

#include "compute/backend_under_test.hpp"
#include "compute/op_on_plain_memory.hpp"
#include "compute/reference.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;

namespace {

// Of LeNet, of a residual network, and awkward ones: odd channel counts, images that are not
// square, strides that leave a rest, padding, kernels of one pixel and of the whole image.
const ConvolutionShape kShapes[] = {
    {.x = {.n = 5, .c = 1, .h = 28, .w = 28}, .channels = 20, .kernel = 5},
    {.x = {.n = 3, .c = 20, .h = 12, .w = 12}, .channels = 50, .kernel = 5},
    {.x = {.n = 2, .c = 3, .h = 16, .w = 16}, .channels = 16, .kernel = 3, .padding = 1},
    {.x = {.n = 2, .c = 16, .h = 9, .w = 9},
     .channels = 32,
     .kernel = 3,
     .stride = 2,
     .padding = 1},
    {.x = {.n = 1, .c = 3, .h = 11, .w = 7}, .channels = 5, .kernel = 3, .stride = 2},
    {.x = {.n = 7, .c = 2, .h = 6, .w = 13}, .channels = 3, .kernel = 4, .stride = 3, .padding = 2},
    {.x = {.n = 3, .c = 50, .h = 4, .w = 5}, .channels = 7, .kernel = 1},
    {.x = {.n = 1, .c = 1, .h = 5, .w = 5}, .channels = 1, .kernel = 5},
};

struct Case {
  explicit Case(const ConvolutionShape& s)
      : shape(s),
        op(*backend, backend->convolution(s), s.x, s.y()),
        x(reference::noise(s.x.floats(), 1)),
        weight(reference::noise(s.weight_floats(), 2)),
        bias(reference::noise(static_cast<std::size_t>(s.channels), 3)),
        dy(reference::noise(s.y().floats(), 4)) {}

  ConvolutionShape shape;
  std::unique_ptr<Backend> backend = backend_under_test();
  OpOnPlainMemory op;
  std::vector<float> x, weight, bias, dy;
};

}  // namespace

TEST_CASE("convolution: forward and all gradients equal the naive loop") {
  for (const ConvolutionShape& shape : kShapes) {
    CAPTURE(shape.x.text());
    Case c(shape);

    const std::vector<float> y = c.op.forward(c.x, c.weight, c.bias);
    const PlainGradients got = c.op.backward(c.dy);

    CHECK(reference::relative_error(y, reference::convolution(shape, c.x, c.weight, c.bias)) <
          1e-6);
    const auto want = reference::convolution_backward(shape, c.x, c.weight, c.dy);
    CHECK(reference::relative_error(got.dx, want.dx) < 1e-6);
    CHECK(reference::relative_error(got.weight, want.weight) < 1e-6);
    CHECK(reference::relative_error(got.bias, want.bias) < 1e-5);
  }
}

TEST_CASE("convolution: backward is the slope of forward") {
  for (const ConvolutionShape& shape : kShapes) {
    CAPTURE(shape.x.text());
    Case c(shape);

    CHECK(finite_difference_error(c.op, c.x, c.weight, c.bias, c.dy, 1.0F) < 1e-4);
  }
}

TEST_CASE("convolution: the gradients of the weights do not depend on whether dx is wanted") {
  Case c(kShapes[1]);

  c.op.forward(c.x, c.weight, c.bias);
  const PlainGradients with = c.op.backward(c.dy);
  const PlainGradients without = c.op.backward(c.dy, false);

  CHECK(without.dx.empty());
  CHECK(without.weight == with.weight);
  CHECK(without.bias == with.bias);
}

TEST_CASE("convolution: a kernel that does not fit and a view of the wrong size are errors") {
  const auto backend = backend_under_test();
  CHECK_THROWS_WITH_AS(
      backend->convolution({.x = {.n = 1, .c = 1, .h = 4, .w = 4}, .channels = 2, .kernel = 5}),
      "convolution: got x 1x1x4x4, want room for kernel 5 with padding 0", Error);

  Case c(kShapes[0]);
  c.x.pop_back();
  CHECK_THROWS_AS(c.op.forward(c.x, c.weight, c.bias), Error);
}
