// Facts 6, 8 and 9 of the update rules: trajectories and limits in closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "algorithms/setups.hpp"
#include "algorithms/slot.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

Setup od_sgd(LocalRule rule, float lr, float local_lr, int workers, Clock steps) {
  Setup setup = distinct_setup("od-sgd", workers, steps);
  setup.settings.lr = lr;
  setup.settings.momentum = 0;
  setup.settings.weight_decay = 0;
  setup.settings.local_rule = rule;
  setup.settings.local_lr = local_lr;
  setup.settings.local_momentum = 0;
  return setup;
}

/// |W| on 1/2 w^2 after pushes by M workers in turn, each of which then takes the new weights; once
/// it is large, that.
double round_robin(double lr, int workers, int updates) {
  AlgorithmSettings settings;
  settings.lr = static_cast<float>(lr);
  settings.momentum = 0;
  settings.weight_decay = 0;
  Slot slot("asgd", settings, {1});
  std::vector<std::vector<float>> w(static_cast<std::size_t>(workers), slot.weights());
  double largest = 0;
  for (int n = 0; n < updates; ++n) {
    auto& mine = w[static_cast<std::size_t>(n % workers)];
    slot.update({mine});
    mine = slot.weights();
    if (std::abs(mine[0]) > 1e6F) return std::abs(mine[0]);
    if (n >= updates - 100) largest = std::max(largest, std::abs(double{mine[0]}));
  }
  return largest;
}

}  // namespace

TEST_CASE("fact 6: delay alone is critically damped at q = 1/4: W^t = (1 + t/2) / 2^t") {
  const Trace trace = train(od_sgd(LocalRule::kNone, 0.25F, 0, 2, 20),
                            uniform_quadratic(scalar_layout(), 1, {1, 1}, {0, 0}));
  for (Clock t = 0; t <= 20; ++t) {
    const auto n = static_cast<double>(t);
    CHECK(trace.global[t][0] == doctest::Approx((1 + n / 2) / std::pow(2, n)).epsilon(1e-5));
  }
}

TEST_CASE("fact 6: on identical workers W^{t+1} = (1 - r) W^t - (q - r) W^{t-1}") {
  // a = 2: q = 2 lr, r = 2 lr'.
  const Trace trace = train(od_sgd(LocalRule::kSgd, 0.4F, 0.15F, 2, 25),
                            uniform_quadratic(scalar_layout(), 1, {2, 2}, {0, 0}));
  double before = 1;
  double W = 1 - 0.8;
  for (Clock t = 1; t <= 25; ++t) {
    CHECK(std::abs(trace.global[t][0] - W) < 1e-6);
    const double next = (1 - 0.3) * W - (0.8 - 0.3) * before;
    before = W;
    W = next;
  }
}

TEST_CASE("fact 8: workers of unlike curvature have a fixed point beside the optimum") {
  // a = (1, 3), c = (0, 1), optimum 0.75.
  const Quadratic problem = uniform_quadratic(mixed_layout(), 2, {1, 3}, {0, 1});
  Setup setup = od_sgd(LocalRule::kSgd, 0.1F, 0.1F, 2, 250);
  setup.reads_every_step = false;
  const Trace trace = train(setup, problem);
  const std::size_t last = problem.layout.floats() - 1;
  CHECK(trace.global.back()[last] == doctest::Approx(0.717391304).epsilon(1e-6));
  CHECK(trace.local[0].back()[last] == doctest::Approx(0.652173913).epsilon(1e-6));
  CHECK(trace.local[1].back()[last] == doctest::Approx(0.782608696).epsilon(1e-6));

  // It is there by the local rate alone, and at half of it about half as far from the optimum:
  // alpha = 1 / 1.05, 3 / 1.15, W* = (3 / 1.15) / (1 / 1.05 + 3 / 1.15) = 0.732558140.
  for (const float lr : {0.1F, 0.2F}) {
    setup.settings.lr = lr;
    setup.settings.local_lr = 0.05F;
    CHECK(train(setup, problem).global.back()[last] == doctest::Approx(0.732558140).epsilon(1e-6));
  }
}

TEST_CASE("fact 8: workers of one curvature have the optimum as fixed point") {
  const Quadratic problem = uniform_quadratic(scalar_layout(), 2, {2, 2, 2}, {0, 1, 5});
  Setup setup = od_sgd(LocalRule::kSgd, 0.1F, 0.2F, 3, 250);
  setup.reads_every_step = false;
  const Trace trace = train(setup, problem);
  CHECK(trace.global.back()[0] == doctest::Approx(2).epsilon(1e-6));
  // Each is where its own step leads from there: w* = (2 + 0.4 c) / 1.4.
  CHECK(trace.local[0].back()[0] == doctest::Approx(2 / 1.4).epsilon(1e-6));
  CHECK(trace.local[2].back()[0] == doctest::Approx(4 / 1.4).epsilon(1e-6));
}

TEST_CASE("fact 9: asgd in turn is stable up to lr = 2 sin(pi / (2 (2 tau + 1))), tau = M - 1") {
  const struct {
    int workers;
    double limit;
  } cases[] = {{1, 2}, {2, 1}, {4, 0.445}, {8, 0.209}};
  for (const auto& c : cases) {
    const double tau = c.workers - 1;
    const double limit = 2 * std::sin(std::numbers::pi / (2 * (2 * tau + 1)));
    CAPTURE(c.workers);
    CHECK(limit == doctest::Approx(c.limit).epsilon(1e-3));
    CHECK(round_robin(0.97 * limit, c.workers, 4000) < 1e-3);
    CHECK(round_robin(1.03 * limit, c.workers, 4000) > 1e3);
  }
}
