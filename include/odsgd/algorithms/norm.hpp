#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace odsgd {

/// The sum of the squares of x(0) to x(n - 1), in double and in a fixed order: eight sums side by
/// side, so that the compiler makes vectors of it.
template <class X>
double sum_of_squares(std::size_t n, X x) {
  constexpr std::size_t kSums = 8;
  std::array<double, kSums> sums{};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) {
      const auto value = static_cast<double>(x(i + j));
      sums[j] += value * value;
    }
  }
  for (; i < n; ++i) sums[0] += static_cast<double>(x(i)) * static_cast<double>(x(i));
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

/// By what LARS multiplies a key's learning rate (You, Gitman, Ginsburg 2017): trust |w| / (|g| +
/// decay |w|); 1 where either norm is 0.
inline float lars_ratio(double trust, double w_norm, double g_norm, double decay) {
  const double length = g_norm + decay * w_norm;
  return w_norm > 0 && length > 0 ? static_cast<float>(trust * w_norm / length) : 1.0F;
}

}  // namespace odsgd
