#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "compute/backend_under_test.hpp"
#include "compute/op_on_plain_memory.hpp"
#include "compute/reference.hpp"

using namespace odsgd;

TEST_CASE("relu: cuts off what is negative, forward and backward, at any size") {
  for (const TensorShape& shape : {TensorShape{.n = 1, .c = 1}, TensorShape{.n = 3, .c = 7},
                                   TensorShape{.n = 2, .c = 20, .h = 5, .w = 3}}) {
    const auto backend = backend_under_test();
    OpOnPlainMemory op(*backend, backend->relu(shape), shape, shape);
    const std::vector<float> x = reference::distinct(shape.floats(), 1);
    const std::vector<float> dy = reference::noise(shape.floats(), 2);

    const std::vector<float> y = op.forward(x, {}, {});
    const std::vector<float> dx = op.backward(dy).dx;

    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(y[i] == (x[i] > 0 ? x[i] : 0.0F));
      CHECK(dx[i] == (x[i] > 0 ? dy[i] : 0.0F));
    }
  }
}

TEST_CASE("relu: backward is the slope of forward") {
  const TensorShape shape{.n = 3, .c = 5, .h = 2, .w = 2};
  const auto backend = backend_under_test();
  OpOnPlainMemory op(*backend, backend->relu(shape), shape, shape);
  const float step = 0.25F / static_cast<float>(shape.floats());  // crosses no kink

  CHECK(finite_difference_error(op, reference::distinct(shape.floats(), 1), {}, {},
                                reference::noise(shape.floats(), 2), step) < 1e-3);
}

TEST_CASE("relu: works in place") {
  const TensorShape shape{.n = 2, .c = 3};
  const auto backend = backend_under_test();
  const auto op = backend->relu(shape);
  const auto layout = backend->layout(shape);
  Buffer x = backend->allocate(6);
  Buffer dy = backend->allocate(6);
  std::vector<float> y(6);
  std::vector<float> dx(6);
  REQUIRE(op->works_in_place());

  layout->from_plain(std::vector<float>{-1, 2, -3, 4, 0, 6}, x.view());
  op->forward(x.view(), {}, x.view());
  layout->to_plain(x.view(), y);
  layout->from_plain(std::vector<float>{1, 2, 3, 4, 5, 6}, dy.view());
  op->backward(x.view(), x.view(), dy.view(), {}, dy.view(), {});
  layout->to_plain(dy.view(), dx);

  CHECK(y == std::vector<float>{0, 2, 0, 4, 0, 6});
  CHECK(dx == std::vector<float>{0, 2, 0, 4, 0, 6});
}

TEST_CASE("relu: not-a-number is not hidden") {
  const TensorShape shape{.n = 1, .c = 2};
  const auto backend = backend_under_test();
  OpOnPlainMemory op(*backend, backend->relu(shape), shape, shape);

  const auto y =
      op.forward(std::vector<float>{std::numeric_limits<float>::quiet_NaN(), -1.0F}, {}, {});

  CHECK(std::isnan(y[0]));
  CHECK(y[1] == 0.0F);
}
