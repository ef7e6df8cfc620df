#include "compute/reference.hpp"

#include <cmath>

#include "odsgd/base/random.hpp"

namespace odsgd::reference {
namespace {

/// Position of (n, c, h, w) in a row-major tensor.
std::size_t at(const TensorShape& s, int n, int c, int h, int w) {
  return static_cast<std::size_t>(((n * s.c + c) * s.h + h) * s.w + w);
}

/// Calls use(x position, weight position, y position, k) for every product of a convolution.
template <class Use>
void for_each_product(const ConvolutionShape& s, Use&& use) {
  const TensorShape x = s.x;
  const TensorShape y = s.y();
  const TensorShape weight{.n = s.channels, .c = x.c, .h = s.kernel, .w = s.kernel};
  for (int n = 0; n < y.n; ++n)
    for (int k = 0; k < y.c; ++k)
      for (int p = 0; p < y.h; ++p)
        for (int q = 0; q < y.w; ++q)
          for (int c = 0; c < x.c; ++c)
            for (int r = 0; r < s.kernel; ++r)
              for (int t = 0; t < s.kernel; ++t) {
                const int h = p * s.stride + r - s.padding;
                const int w = q * s.stride + t - s.padding;
                if (h < 0 || h >= x.h || w < 0 || w >= x.w) continue;
                use(at(x, n, c, h, w), at(weight, k, c, r, t), at(y, n, k, p, q));
              }
}

/// Calls use(y position, x positions of its window) for every window.
template <class Use>
void for_each_window(const PoolingShape& s, Use&& use) {
  const TensorShape y = s.y();
  for (int n = 0; n < y.n; ++n)
    for (int c = 0; c < y.c; ++c)
      for (int p = 0; p < y.h; ++p)
        for (int q = 0; q < y.w; ++q) {
          std::vector<std::size_t> window;
          for (int r = 0; r < s.kernel; ++r)
            for (int t = 0; t < s.kernel; ++t)
              window.push_back(at(s.x, n, c, p * s.stride + r, q * s.stride + t));
          use(at(y, n, c, p, q), window);
        }
}

std::size_t greatest(std::span<const float> x, const std::vector<std::size_t>& window) {
  std::size_t best = window.front();
  for (const std::size_t i : window)
    if (x[i] > x[best]) best = i;
  return best;
}

}  // namespace

std::vector<float> noise(std::size_t count, std::uint64_t stream) {
  const Random random(20, stream);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(2.0 * random.uniform(i) - 1.0);
  return values;
}

std::vector<float> distinct(std::size_t count, std::uint64_t stream) {
  std::vector<float> values;
  for (const std::uint32_t i : permutation(count, 20, stream)) {
    values.push_back((static_cast<float>(i) - static_cast<float>(count / 2) + 0.5F) /
                     static_cast<float>(count));
  }
  return values;
}

double relative_error(std::span<const float> got, std::span<const double> want) {
  if (got.size() != want.size()) return INFINITY;
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    difference += (got[i] - want[i]) * (got[i] - want[i]);
    size += want[i] * want[i];
  }
  return std::sqrt(difference / size);
}

std::vector<double> convolution(const ConvolutionShape& s, std::span<const float> x,
                                std::span<const float> weight, std::span<const float> bias) {
  const TensorShape shape = s.y();
  const auto plane = static_cast<std::size_t>(shape.h * shape.w);
  std::vector<double> y(shape.floats());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = bias[i / plane % bias.size()];
  for_each_product(s, [&](std::size_t i, std::size_t j, std::size_t o) {
    y[o] += static_cast<double>(x[i]) * weight[j];
  });
  return y;
}

Gradients convolution_backward(const ConvolutionShape& s, std::span<const float> x,
                               std::span<const float> weight, std::span<const float> dy) {
  const auto channels = static_cast<std::size_t>(s.channels);
  const auto plane = static_cast<std::size_t>(s.y().h * s.y().w);
  Gradients g{std::vector<double>(x.size()), std::vector<double>(weight.size()),
              std::vector<double>(channels)};
  for_each_product(s, [&](std::size_t i, std::size_t j, std::size_t o) {
    g.dx[i] += static_cast<double>(dy[o]) * weight[j];
    g.weight[j] += static_cast<double>(dy[o]) * x[i];
  });
  for (std::size_t i = 0; i < dy.size(); ++i) g.bias[i / plane % channels] += dy[i];
  return g;
}

std::vector<double> fully_connected(const FullyConnectedShape& s, std::span<const float> x,
                                    std::span<const float> weight, std::span<const float> bias) {
  const std::size_t inputs = s.x.sample_floats();
  const auto outputs = static_cast<std::size_t>(s.outputs);
  std::vector<double> y(s.y().floats());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t n = i / outputs;
    const std::size_t k = i % outputs;
    y[i] = bias[k];
    for (std::size_t j = 0; j < inputs; ++j)
      y[i] += static_cast<double>(x[n * inputs + j]) * weight[k * inputs + j];
  }
  return y;
}

Gradients fully_connected_backward(const FullyConnectedShape& s, std::span<const float> x,
                                   std::span<const float> weight, std::span<const float> dy) {
  const std::size_t inputs = s.x.sample_floats();
  const auto outputs = static_cast<std::size_t>(s.outputs);
  Gradients g{std::vector<double>(x.size()), std::vector<double>(weight.size()),
              std::vector<double>(outputs)};
  for (std::size_t i = 0; i < dy.size(); ++i) {
    const std::size_t n = i / outputs;
    const std::size_t k = i % outputs;
    g.bias[k] += dy[i];
    for (std::size_t j = 0; j < inputs; ++j) {
      g.dx[n * inputs + j] += static_cast<double>(dy[i]) * weight[k * inputs + j];
      g.weight[k * inputs + j] += static_cast<double>(dy[i]) * x[n * inputs + j];
    }
  }
  return g;
}

std::vector<double> pooling(const PoolingShape& s, std::span<const float> x) {
  std::vector<double> y(s.y().floats());
  for_each_window(s, [&](std::size_t o, const std::vector<std::size_t>& window) {
    if (s.kind == PoolingKind::kMax) {
      y[o] = x[greatest(x, window)];
    } else {
      for (const std::size_t i : window) y[o] += x[i] / static_cast<double>(window.size());
    }
  });
  return y;
}

std::vector<double> pooling_backward(const PoolingShape& s, std::span<const float> x,
                                     std::span<const float> dy) {
  std::vector<double> dx(x.size());
  for_each_window(s, [&](std::size_t o, const std::vector<std::size_t>& window) {
    if (s.kind == PoolingKind::kMax) {
      dx[greatest(x, window)] += dy[o];
    } else {
      for (const std::size_t i : window) dx[i] += dy[o] / static_cast<double>(window.size());
    }
  });
  return dx;
}

}  // namespace odsgd::reference
