#include <doctest/doctest.h>

#include "odsgd/compute/shape.hpp"

using namespace odsgd;

TEST_CASE("windows are counted only where they fit whole") {
  CHECK(window_count(28, 5, 1, 0) == 24);
  CHECK(window_count(24, 2, 2, 0) == 12);
  CHECK(window_count(7, 2, 2, 0) == 3);
  CHECK(window_count(32, 3, 2, 1) == 16);
  CHECK(window_count(5, 5, 3, 0) == 1);
  CHECK(window_count(4, 5, 1, 0) == 0);
  CHECK(window_count(3, 5, 2, 0) == 0);
}

TEST_CASE("operations of a forward pass: a multiply-add is two") {
  const ConvolutionShape convolution{
      .x = {.n = 3, .c = 20, .h = 12, .w = 10}, .channels = 50, .kernel = 5};
  CHECK(convolution.forward_flops() == 2.0 * 50 * 20 * 5 * 5 * 8 * 6 * 3);
  const ConvolutionShape strided{.x = {.n = 1, .c = 3, .h = 32, .w = 32},
                                 .channels = 16,
                                 .kernel = 3,
                                 .stride = 2,
                                 .padding = 1};
  CHECK(strided.forward_flops() == 2.0 * 16 * 3 * 3 * 3 * 16 * 16);
  const FullyConnectedShape matrix{.x = {.n = 3, .c = 2, .h = 4, .w = 5}, .outputs = 7};
  CHECK(matrix.forward_flops() == 2.0 * 7 * 40 * 3);
}

TEST_CASE("a shape knows its size") {
  const TensorShape shape{.n = 64, .c = 20, .h = 12, .w = 3};

  CHECK(shape.sample_floats() == 720);
  CHECK(shape.floats() == 46080);
  CHECK(shape.text() == "64x20x12x3");
}
