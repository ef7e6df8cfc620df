#include "odsgd/compute/shape.hpp"

#include <fmt/format.h>

namespace odsgd {
namespace {

std::size_t size(int extent) { return static_cast<std::size_t>(extent); }

}  // namespace

std::size_t TensorShape::sample_floats() const { return size(c) * size(h) * size(w); }

std::size_t TensorShape::floats() const { return size(n) * sample_floats(); }

std::string TensorShape::text() const { return fmt::format("{}x{}x{}x{}", n, c, h, w); }

int window_count(int input, int kernel, int stride, int padding) {
  const int room = input + 2 * padding - kernel;
  return room < 0 ? 0 : room / stride + 1;
}

double forward_flops(std::size_t weight_floats, const TensorShape& y) {
  const double places = static_cast<double>(y.n) * y.h * y.w;
  return 2 * static_cast<double>(weight_floats) * places;
}

TensorShape ConvolutionShape::y() const {
  return {.n = x.n,
          .c = channels,
          .h = window_count(x.h, kernel, stride, padding),
          .w = window_count(x.w, kernel, stride, padding)};
}

std::size_t ConvolutionShape::weight_floats() const {
  return size(channels) * size(x.c) * size(kernel) * size(kernel);
}

TensorShape PoolingShape::y() const {
  return {.n = x.n,
          .c = x.c,
          .h = window_count(x.h, kernel, stride, 0),
          .w = window_count(x.w, kernel, stride, 0)};
}

std::size_t FullyConnectedShape::weight_floats() const { return size(outputs) * x.sample_floats(); }

}  // namespace odsgd
