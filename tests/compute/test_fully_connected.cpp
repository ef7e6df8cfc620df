#include <doctest/doctest.h>

#include "compute/backend_under_test.hpp"
#include "compute/op_on_plain_memory.hpp"
#include "compute/reference.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;

namespace {

// Vectors, and images whose order (C, H, W) the weights' columns follow.
const FullyConnectedShape kShapes[] = {
    {.x = {.n = 5, .c = 50, .h = 4, .w = 4}, .outputs = 500},
    {.x = {.n = 64, .c = 500}, .outputs = 10},
    {.x = {.n = 3, .c = 1, .h = 28, .w = 28}, .outputs = 128},
    {.x = {.n = 1, .c = 3, .h = 5, .w = 2}, .outputs = 7},
    {.x = {.n = 2, .c = 20, .h = 1, .w = 3}, .outputs = 1},
    {.x = {.n = 7, .c = 1}, .outputs = 3},
};

struct Case {
  explicit Case(const FullyConnectedShape& s)
      : op(*backend, backend->fully_connected(s), s.x, s.y()),
        x(reference::noise(s.x.floats(), 1)),
        weight(reference::noise(s.weight_floats(), 2)),
        bias(reference::noise(static_cast<std::size_t>(s.outputs), 3)),
        dy(reference::noise(s.y().floats(), 4)) {}

  std::unique_ptr<Backend> backend = backend_under_test();
  OpOnPlainMemory op;
  std::vector<float> x, weight, bias, dy;
};

}  // namespace

TEST_CASE("fully connected: forward and all gradients equal the naive loop") {
  for (const FullyConnectedShape& shape : kShapes) {
    CAPTURE(shape.x.text());
    Case c(shape);

    const std::vector<float> y = c.op.forward(c.x, c.weight, c.bias);
    const PlainGradients got = c.op.backward(c.dy);

    CHECK(reference::relative_error(y, reference::fully_connected(shape, c.x, c.weight, c.bias)) <
          1e-6);
    const auto want = reference::fully_connected_backward(shape, c.x, c.weight, c.dy);
    CHECK(reference::relative_error(got.dx, want.dx) < 1e-6);
    CHECK(reference::relative_error(got.weight, want.weight) < 1e-6);
    CHECK(reference::relative_error(got.bias, want.bias) < 1e-6);
  }
}

TEST_CASE("fully connected: backward is the slope of forward") {
  for (const FullyConnectedShape& shape : kShapes) {
    CAPTURE(shape.x.text());
    Case c(shape);

    CHECK(finite_difference_error(c.op, c.x, c.weight, c.bias, c.dy, 1.0F) < 1e-4);
  }
}

TEST_CASE("fully connected: the gradients of the weights do not depend on whether dx is wanted") {
  Case c(kShapes[0]);

  c.op.forward(c.x, c.weight, c.bias);
  const PlainGradients with = c.op.backward(c.dy);
  const PlainGradients without = c.op.backward(c.dy, false);

  CHECK(without.dx.empty());
  CHECK(without.weight == with.weight);
  CHECK(without.bias == with.bias);
}

TEST_CASE("fully connected: no outputs and weights of the wrong size are errors") {
  const auto backend = backend_under_test();
  CHECK_THROWS_AS(backend->fully_connected({.x = {.n = 1, .c = 4}, .outputs = 0}), Error);

  Case c(kShapes[1]);
  c.weight.pop_back();
  CHECK_THROWS_WITH_AS(c.op.forward(c.x, c.weight, c.bias),
                       "fully connected: weight: got 4999 floats, want 5000", Error);
}
