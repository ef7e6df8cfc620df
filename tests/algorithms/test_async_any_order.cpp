// Rules whose servers apply each push at once: what holds in whatever order pushes come.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

constexpr Clock kSteps = 8;

Setup setup_of(const std::string& algorithm, int workers) {
  Setup setup = distinct_setup(algorithm, workers, kSteps);
  setup.settings.momentum = 0;
  return with_variant(setup, {2, 5000, {microseconds(300), 12}});
}

/// DC-ASGD by the gradients g that two workers took at W, worker `first` first; MS are theirs.
Doubles one_after_the_other(const Quadratic& problem, const AlgorithmSettings& s,
                            const Doubles& from, const std::vector<Doubles>& g,
                            const std::vector<Doubles>& MS, std::size_t first, Clock t) {
  Doubles W = from;
  SerialServer server(problem, s);  // without momentum it keeps nothing
  for (const std::size_t m : {first, 1 - first}) {
    Doubles compensated = g[m];
    for (std::size_t i = 0; i < W.size(); ++i) {
      const double lambda =
          s.lambda_rule == LambdaRule::kConstant ? s.lambda : s.lambda / std::sqrt(MS[m][i] + 1e-7);
      compensated[i] += lambda * g[m][i] * g[m][i] * (W[i] - from[i]);
    }
    server.step(t, compensated, W);
  }
  return W;
}

}  // namespace

TEST_CASE("asgd, ssp, dc-asgd: one worker's is SGD, bit for bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), 1, 111);
  Setup ssgd = distinct_setup("ssgd", 1, kSteps);
  const Trace want = train(ssgd, problem);
  for (const std::string algorithm : {"asgd", "ssp", "dc-asgd"}) {
    for (const LambdaRule rule : {LambdaRule::kConstant, LambdaRule::kAdaptive}) {
      CAPTURE(algorithm);
      Setup setup = distinct_setup(algorithm, 1, kSteps);
      setup.settings.lambda_rule = rule;
      check_same(train(with_variant(setup, {3, 100, {microseconds(200), 1}}), problem), want);
    }
  }
}

TEST_CASE(
    "asgd and ssp: M gradients taken at one W, without momentum, are SSGD at M times the rate") {
  // Without decay too: W - lr g_1 - lr g_2 - ... = W - M lr (mean g).
  constexpr int kWorkers = 3;
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 112);
  for (const std::string algorithm : {"asgd", "ssp"}) {
    CAPTURE(algorithm);
    Setup setup = setup_of(algorithm, kWorkers);
    setup.settings.weight_decay = 0;
    AlgorithmSettings synchronous = setup.settings;
    synchronous.lr = kWorkers * 0.07F;
    synchronous.warmup_steps = kSteps;
    check_follows(train(setup, problem), serial_od_sgd(problem, synchronous, kSteps));
  }
}

TEST_CASE("dc-asgd: of two gradients taken at one W, the one that comes second is compensated") {
  const Quadratic problem = random_quadratic(mixed_layout(), 2, 113);
  for (const LambdaRule rule : {LambdaRule::kConstant, LambdaRule::kAdaptive}) {
    CAPTURE(lambda_rule_names()[static_cast<std::size_t>(rule)]);
    Setup setup = setup_of("dc-asgd", 2);
    setup.settings.lambda_rule = rule;
    const AlgorithmSettings& s = setup.settings;
    const Trace trace = train(setup, problem);
    std::vector<Doubles> MS(2, Doubles(problem.layout.floats()));
    for (Clock t = 0; t < kSteps; ++t) {
      const Doubles W(trace.global[t].begin(), trace.global[t].end());
      std::vector<Doubles> g;
      for (std::size_t m = 0; m < 2; ++m) {
        g.push_back(serial_gradient(problem, s, m, t, W));
        for (std::size_t i = 0; i < W.size(); ++i) {
          MS[m][i] =
              s.mean_square_decay * MS[m][i] + (1.0 - s.mean_square_decay) * g[m][i] * g[m][i];
        }
      }
      const Doubles a = one_after_the_other(problem, s, W, g, MS, 0, t);
      const Doubles b = one_after_the_other(problem, s, W, g, MS, 1, t);
      const auto& got = trace.global[t + 1];
      for (Key k = 0; k < problem.layout.keys(); ++k) {
        // Slices that a server gets at different times may have either order; a key of 4,105 floats
        // has one on each server. Each float has one of both.
        const Parameter& p = problem.layout[k];
        double largest = 0;
        double apart = 0;
        for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
          largest = std::max(largest, std::min(std::abs(got[i] - a[i]), std::abs(got[i] - b[i])));
          apart = std::max(apart, std::abs(a[i] - b[i]));
        }
        CAPTURE(t);
        CAPTURE(problem.layout[k].name);
        CHECK(largest < 2e-6);
        if (p.count > 10) CHECK(apart > 1e-4);
      }
    }
  }
}
