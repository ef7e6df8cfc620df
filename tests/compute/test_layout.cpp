#include <doctest/doctest.h>

#include "compute/backend_under_test.hpp"
#include "compute/reference.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;

TEST_CASE("layout: images come back from the device as they went") {
  for (const TensorShape& shape :
       {TensorShape{.n = 3, .c = 1, .h = 28, .w = 28}, TensorShape{.n = 2, .c = 3, .h = 5, .w = 7},
        TensorShape{.n = 1, .c = 50, .h = 4, .w = 4}, TensorShape{.n = 5, .c = 10}}) {
    CAPTURE(shape.text());
    const auto backend = backend_under_test();
    const auto layout = backend->layout(shape);
    Buffer device = backend->allocate(shape.floats());
    const std::vector<float> images = reference::noise(shape.floats(), 1);
    std::vector<float> back(shape.floats());

    layout->from_plain(images, device.view());
    layout->to_plain(device.view(), back);

    CHECK(back == images);
  }
}

TEST_CASE("layout: images of the wrong size are an error") {
  const auto backend = backend_under_test();
  const auto layout = backend->layout({.n = 1, .c = 3, .h = 2, .w = 2});
  Buffer device = backend->allocate(12);

  CHECK_THROWS_WITH_AS(layout->from_plain(std::vector<float>(11), device.view()),
                       "layout: host: got 11 floats, want 12", Error);
}

TEST_CASE("memory of the device starts as zeros") {
  const auto backend = backend_under_test();
  const TensorShape shape{.n = 1, .c = 100};
  Buffer device = backend->allocate(100);
  std::vector<float> values(100, 1.0F);

  backend->layout(shape)->to_plain(device.view(), values);

  CHECK(values == std::vector<float>(100, 0.0F));
}
