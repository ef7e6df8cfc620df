#include "algorithms/setups.hpp"

namespace odsgd::test {

Setup distinct_setup(const std::string& algorithm, int workers, Clock steps) {
  Setup setup{.algorithm = algorithm, .steps = steps};
  setup.settings = {.workers = workers,
                    .total_steps = steps,
                    .lr = 0.07F,
                    .momentum = 0.8F,
                    .weight_decay = 0.02F,
                    .lars_trust = 0.5F,
                    .local_rule = LocalRule::kSgd,
                    .local_lr = 0.05F,
                    .local_momentum = 0.6F,
                    .lambda = 2,
                    .mean_square_decay = 0.9F,
                    .staleness = 1,
                    .delay_steps = 3,
                    .glu_alpha = 1.75F,
                    .glu_beta = 0.375F,
                    .threshold = 0.3F,
                    .correction_steps = 4,
                    .local_steps = 3,
                    .outer_lr = 0.7F,
                    .outer_momentum = 0.55F,
                    .elastic_alpha = 0.22F};
  return setup;
}

Quadratic seven_classes(int workers) {
  Quadratic problem = random_quadratic(mixed_layout(), workers, 41);
  problem.noise = 0;
  const auto repeat = [](std::vector<float>& values) {
    for (std::size_t i = 7; i < values.size(); ++i) values[i] = values[i - 7];
  };
  repeat(problem.initial);
  for (auto& a : problem.a) repeat(a);
  for (auto& c : problem.c) repeat(c);
  return problem;
}

Quadratic constant_gradient(float g, int workers) {
  constexpr float kFar = 0x1p40F;
  const auto count = static_cast<std::size_t>(workers);
  return uniform_quadratic(scalar_layout(), 0, std::vector(count, 1 / kFar),
                           std::vector(count, -g * kFar));
}

}  // namespace odsgd::test
