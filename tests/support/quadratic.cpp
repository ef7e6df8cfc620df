#include "support/quadratic.hpp"

#include <utility>

namespace odsgd::test {

ParameterLayout mixed_layout() {
  ParameterLayout layout;
  layout.add("conv_weight", {4, 3}, true);
  layout.add("conv_bias", {4}, false);
  layout.add("fc_weight", {5, 821}, true);
  layout.add("fc2_weight", {3, 11}, true);
  layout.add("fc2_bias", {1}, false);
  return layout;
}

ParameterLayout scalar_layout() {
  ParameterLayout layout;
  layout.add("weight", {1}, true);
  return layout;
}

Quadratic uniform_quadratic(ParameterLayout layout, float initial, std::vector<float> as,
                            std::vector<float> cs) {
  Quadratic problem;
  problem.layout = std::move(layout);
  const std::size_t floats = problem.layout.floats();
  problem.initial.assign(floats, initial);
  for (const float a : as) problem.a.emplace_back(floats, a);
  for (const float c : cs) problem.c.emplace_back(floats, c);
  return problem;
}

Quadratic random_quadratic(ParameterLayout layout, int workers, std::uint64_t seed) {
  const auto values = [&](std::uint64_t stream, double low, double high) {
    const Random random(seed, stream);
    std::vector<float> v(layout.floats());
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = static_cast<float>(low + (high - low) * random.uniform(i));
    }
    return v;
  };
  Quadratic problem;
  problem.initial = values(0, -1, 1);
  for (int m = 0; m < workers; ++m) {
    const auto stream = static_cast<std::uint64_t>(m);
    problem.a.push_back(values(1 + 2 * stream, 0.5, 1.5));
    problem.c.push_back(values(2 + 2 * stream, -1, 1));
  }
  problem.noise = 0.5F;
  problem.layout = std::move(layout);
  return problem;
}

}  // namespace odsgd::test
