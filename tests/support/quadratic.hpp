#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/base/random.hpp"

namespace odsgd::test {

/// A problem whose gradients are known exactly: worker m minimises 1/2 a_m (w - c_m)^2, for each
/// float on its own. With noise, every step of every worker has a c of its own, as if it came from
/// another batch.
struct Quadratic {
  ParameterLayout layout;
  std::vector<float> initial;         ///< W^0, all parameters
  std::vector<std::vector<float>> a;  ///< per worker and float
  std::vector<std::vector<float>> c;
  float noise = 0;  ///< c of one step is moved by up to this much

  int workers() const { return static_cast<int>(a.size()); }

  template <class T>
  T gradient(int worker, Clock t, std::size_t i, T w) const {
    const auto m = static_cast<std::size_t>(worker);
    return static_cast<T>(a[m][i]) * (w - static_cast<T>(c[m][i] + shift(m, t, i)));
  }

 private:
  float shift(std::size_t m, Clock t, std::size_t i) const {
    if (noise == 0) return 0;
    return noise * static_cast<float>(2 * Random(m + 1, t).uniform(i) - 1);
  }
};

/// Keys of several sizes, the third of which is split over servers; the second and the last are
/// biases, on which weight decay does not act.
ParameterLayout mixed_layout();

/// Worker m has a = as[m] and c = cs[m] in every float.
Quadratic uniform_quadratic(ParameterLayout layout, float initial, std::vector<float> as,
                            std::vector<float> cs);

/// One key of one float.
ParameterLayout scalar_layout();

/// Other a in [0.5, 1.5), c and W^0 in [-1, 1) for each worker and float, noise 0.5.
Quadratic random_quadratic(ParameterLayout layout, int workers, std::uint64_t seed);

}  // namespace odsgd::test
