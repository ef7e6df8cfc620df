// Fact 5: rules without servers that OD-SGD is equal to, worker by worker, each as its own loop.
#include <doctest/doctest.h>

#include <cmath>

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

/// DC-S3GD with plain steps U(g) = -lr g. What it calls the mean weights is global[t]: w + D.
SerialTrace dc_s3gd(const Quadratic& problem, const AlgorithmSettings& s, double lambda) {
  SerialTrace trace = empty_trace(problem, kSteps);
  std::vector<Doubles> w(M, trace.global[0]);
  std::vector<Doubles> step(M, Doubles(w[0].size()));  // Delta of the step before
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
        const double strength =
            term_squares > 0 ? lambda * std::sqrt(g_squares) / std::sqrt(term_squares) : 0;
        for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
          const double D = mean_step[i] - step[m][i];
          trace.global[t][i] = w[m][i] + D;  // of every worker the same
          step[m][i] = -s.lr.at(t) * (g[i] + strength * g[i] * g[i] * D);
          w[m][i] += D + step[m][i];
        }
      }
    }
  }
  return trace;
}

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

TEST_CASE("fact 5: without momentum and decay od-sgd's sgd is DC-S3GD with lambda 0") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 132);
  const Setup setup = od_sgd(LocalRule::kSgd);
  const SerialTrace want = dc_s3gd(problem, setup.settings, 0);
  for (const int servers : {1, kReplicated}) {
    Setup laid_out = setup;
    laid_out.servers = servers;
    const Trace got = train(laid_out, problem);
    for (std::size_t m = 0; m < M; ++m) {
      CHECK(largest_difference(got.local[m], want.local[m]) < 1e-5);
    }
    for (Clock t = 0; t < kSteps; ++t) check_near(got.global[t], want.global[t]);
  }
}

TEST_CASE("od-sgd with dc-norm corrects workers as DC-S3GD, but its mean has raw gradients") {
  // Both take the mean of all workers' steps of t - 1 as W^t, W^t - w^t as displacement, and go
  // on to W^t + U(corrected g). DC-S3GD then sums U(corrected g), OD-SGD g: the first corrected
  // step, t = 1, gives the same w^2, and other mean weights W^2.
  Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 133);
  const Setup setup = od_sgd(LocalRule::kDcNorm);
  const SerialTrace want = dc_s3gd(problem, setup.settings, kLambda);
  const Trace got = train(setup, problem);
  for (std::size_t m = 0; m < M; ++m) {
    for (Clock t = 0; t <= 2; ++t) check_near(got.local[m][t], want.local[m][t]);
  }
  for (Clock t = 0; t <= 1; ++t) check_near(got.global[t], want.global[t]);
  CHECK(largest_difference({got.global[2]}, {want.global[2]}) > 1e-3);
}
