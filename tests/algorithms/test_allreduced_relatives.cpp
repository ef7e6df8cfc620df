// Fact 5: rules without servers that OD-SGD is equal to, worker by worker, each as its own loop.
#include <doctest/doctest.h>

#include <cmath>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr int kWorkers = 3;
constexpr std::size_t M = kWorkers;
constexpr Clock kSteps = 15;
constexpr double kLambda = 0.2F;

Setup od_sgd(LocalRule rule) {
  Setup setup = distinct_setup("od-sgd", kWorkers, kSteps);
  setup.settings.momentum = 0;
  setup.settings.local_momentum = 0;
  setup.settings.weight_decay = 0;
  setup.settings.local_lr = setup.settings.lr;
  setup.settings.local_rule = rule;
  setup.settings.lambda = static_cast<float>(kLambda);
  return setup;
}

/// CoCoD-SGD with period 1: x <- mean(x at the last synchronisation) + (what x has moved since).
std::vector<std::vector<Doubles>> cocod(const Quadratic& problem, const AlgorithmSettings& s) {
  SerialTrace trace = empty_trace(problem, kSteps);
  std::vector<Doubles> x(M, trace.global[0]);
  for (Clock t = 0; t < kSteps; ++t) {
    const std::vector<Doubles> synchronised = x;
    const Doubles mean = mean_of(synchronised);
    for (std::size_t m = 0; m < M; ++m) {
      trace.local[m][t] = x[m];
      const Doubles g = serial_gradient(problem, s, m, t, x[m]);
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const double moved = x[m][i] - s.lr.at(t) * g[i];
        x[m][i] = mean[i] + (moved - synchronised[m][i]);
      }
    }
  }
  return trace.local;
}

/// DC-S3GD as the paper has it: what is summed are the workers' steps. Its mean weights, w + D, are
/// global[t].
SerialTrace dc_s3gd(const Quadratic& problem, const AlgorithmSettings& s) {
  SerialTrace trace = empty_trace(problem, kSteps);
  std::vector<Doubles> w(M, trace.global[0]);
  std::vector<Doubles> step(M, Doubles(w[0].size()));  // Delta of the step before, its velocity
  for (Clock t = 0; t < kSteps; ++t) {
    const Doubles mean_step = mean_of(step);
    for (std::size_t m = 0; m < M; ++m) {
      trace.local[m][t] = w[m];
      const Doubles g = serial_gradient(problem, s, m, t, w[m]);
      for (Key k = 0; k < problem.layout.keys(); ++k) {
        const Parameter& p = problem.layout[k];
        double g_squares = 0;
        double term_squares = 0;
        for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
          const double D = mean_step[i] - step[m][i];
          g_squares += g[i] * g[i];
          term_squares += std::pow(g[i] * g[i] * D, 2);
        }
        const double lambda =
            term_squares > 0 ? s.lambda * std::sqrt(g_squares) / std::sqrt(term_squares) : 0;
        const double decay = p.decays ? s.weight_decay : 0;
        for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
          const double D = mean_step[i] - step[m][i];
          const double mean = w[m][i] + D;
          trace.global[t][i] = mean;
          step[m][i] = s.momentum * step[m][i] -
                       s.lr.at(t) * (g[i] + lambda * g[i] * g[i] * D + decay * mean);
          w[m][i] = mean + step[m][i];
        }
      }
    }
  }
  return trace;
}

Doubles doubles(const std::vector<float>& floats) { return {floats.begin(), floats.end()}; }

void check_near(const std::vector<float>& got, const Doubles& want) {
  CHECK(largest_difference({got}, {want}) < 1e-5);
}

}  // namespace

TEST_CASE("fact 5: without momentum and decay od-sgd's sgd is CoCoD-SGD with period 1") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 131);
  const Setup setup = od_sgd(LocalRule::kSgd);
  const auto want = cocod(problem, setup.settings);
  for (const int servers : {1, kReplicated}) {
    Setup laid_out = setup;
    laid_out.servers = servers;
    const Trace got = train(laid_out, problem);
    for (std::size_t m = 0; m < M; ++m) CHECK(largest_difference(got.local[m], want[m]) < 1e-5);
  }
}

TEST_CASE("fact 5: with lambda 0 and equal momentum od-sgd's sgd is dc-s3gd, bit for bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 132);
  for (const float momentum : {0.0F, 0.7F}) {
    CAPTURE(momentum);
    Setup setup = distinct_setup("od-sgd", kWorkers, kSteps);
    setup.settings.local_rule = LocalRule::kSgd;
    setup.settings.momentum = setup.settings.local_momentum = momentum;
    setup.settings.local_lr = setup.settings.lr;
    setup.settings.lambda = 0;
    for (const int servers : {1, kReplicated}) {
      setup.servers = servers;
      Setup other = setup;
      other.algorithm = "dc-s3gd";
      check_same(train(other, problem), train(setup, problem));
    }
  }
}

TEST_CASE("dc-s3gd: gradients summed by servers and by workers are the paper's sums of steps") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 133);
  for (const float momentum : {0.0F, 0.7F}) {
    CAPTURE(momentum);
    Setup setup = distinct_setup("dc-s3gd", kWorkers, kSteps);
    setup.settings.momentum = momentum;
    setup.settings.lambda = 0.2F;
    const SerialTrace want = dc_s3gd(problem, setup.settings);
    for (const int servers : {1, 2, kReplicated}) {
      CAPTURE(servers);
      setup.servers = servers;
      const Trace got = train(setup, problem);
      for (std::size_t m = 0; m < M; ++m) {
        CHECK(largest_difference(got.local[m], want.local[m]) < 1e-5);
      }
      for (Clock t = 0; t < kSteps; ++t) check_near(got.global[t], want.global[t]);
    }
  }
}

TEST_CASE("od-sgd with dc-norm compensates as dc-s3gd, but its mean has the plain gradients") {
  // Both go on from W^t by a compensated step. In the first step that has something to compensate,
  // t = 1, that gives the same w^2, and other global weights W^2.
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 134);
  Setup setup = od_sgd(LocalRule::kDcNorm);
  const Trace local_alone = train(setup, problem);
  setup.algorithm = "dc-s3gd";
  const Trace pushed = train(setup, problem);
  for (std::size_t m = 0; m < M; ++m) {
    for (Clock t = 0; t <= 2; ++t) check_near(local_alone.local[m][t], doubles(pushed.local[m][t]));
  }
  for (Clock t = 0; t <= 1; ++t) CHECK(local_alone.global[t] == pushed.global[t]);
  CHECK(largest_difference({local_alone.global[2]}, {doubles(pushed.global[2])}) > 1e-3);
}
