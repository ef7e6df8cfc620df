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

TEST_CASE("a shape knows its size") {
  const TensorShape shape{.n = 64, .c = 20, .h = 12, .w = 3};

  CHECK(shape.sample_floats() == 720);
  CHECK(shape.floats() == 46080);
  CHECK(shape.text() == "64x20x12x3");
}
