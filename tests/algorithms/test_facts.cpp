// What follows from the update rules by algebra, whatever the data.
#include <doctest/doctest.h>

#include <cmath>

#include "algorithms/golden.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr Clock kSteps = 25;

Setup setup_of(const std::string& algorithm, LocalRule rule, float momentum, float local_momentum,
               Clock warmup) {
  Setup setup{.algorithm = algorithm, .steps = kSteps};
  setup.settings = {.lr = 0.08F,
                    .momentum = momentum,
                    .weight_decay = 0.01F,
                    .local_rule = rule,
                    .local_lr = 0.08F,
                    .local_momentum = local_momentum,
                    .warmup_steps = warmup};
  return setup;
}

/// The problem of worker 0 for all of `workers` workers.
Quadratic identical_workers(int workers) {
  Quadratic problem = random_quadratic(mixed_layout(), 1, 21);
  problem.noise = 0;
  problem.a.resize(static_cast<std::size_t>(workers), problem.a[0]);
  problem.c.resize(static_cast<std::size_t>(workers), problem.c[0]);
  return problem;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - b[i]));
  }
  return largest;
}

double distance(const std::vector<std::vector<float>>& a,
                const std::vector<std::vector<float>>& b) {
  double largest = 0;
  for (std::size_t t = 0; t < a.size(); ++t) largest = std::max(largest, distance(a[t], b[t]));
  return largest;
}

}  // namespace

TEST_CASE(
    "fact 1: one worker, or identical ones, whose local momentum is the server's: OD-SGD is SGD, "
    "bit for bit, and so are SSD-SGD that always pulls and CD-SGD that never compresses") {
  // 2 and 4: the mean of equal floats is exact for powers of two.
  for (const int workers : {1, 2, 4}) {
    for (const float momentum : {0.0F, 0.9F}) {
      CAPTURE(workers);
      CAPTURE(momentum);
      const Quadratic problem = identical_workers(workers);
      const Trace ssgd = train(setup_of("ssgd", LocalRule::kNone, momentum, 0, 0), problem);
      for (const std::string algorithm : {"od-sgd", "ssd-sgd", "cd-sgd"}) {
        CAPTURE(algorithm);
        Setup setup = setup_of(algorithm, LocalRule::kSgd, momentum, momentum, 0);
        setup.settings.delay_steps = 1;
        setup.settings.correction_steps = 1;
        const Trace trace = train(setup, problem);
        check_same(trace, ssgd);
        for (std::size_t t = 0; t < kSteps; ++t) {
          CHECK(same_bits(trace.local[0][t], trace.global[t]));
        }
      }
    }
  }
}

TEST_CASE("fact 1: without momentum a warm-up makes no difference to that") {
  const Quadratic problem = identical_workers(2);
  const Trace ssgd = train(setup_of("ssgd", LocalRule::kNone, 0, 0, 0), problem);
  for (const LocalRule rule : {LocalRule::kSgd, LocalRule::kDcC, LocalRule::kDcA}) {
    Setup setup = setup_of("od-sgd", rule, 0, 0, 4);
    setup.settings.lambda = 0;
    check_same(train(setup, problem), ssgd);
  }
}

TEST_CASE(
    "fact 2: after warm-up under momentum, sgd lacks the velocity from before and mc does not") {
  constexpr Clock kWarmup = 4;
  constexpr float kMomentum = 0.9F;
  const Quadratic problem = identical_workers(1);
  const Trace sgd =
      train(setup_of("od-sgd", LocalRule::kSgd, kMomentum, kMomentum, kWarmup), problem);
  const Trace mc = train(setup_of("od-sgd", LocalRule::kMc, kMomentum, 0, kWarmup), problem);
  for (std::size_t i = 0; i < problem.layout.floats(); i += 37) {
    // V^{T_w}, the step that led to W^{T_w}.
    const double velocity =
        static_cast<double>(sgd.global[kWarmup][i]) - sgd.global[kWarmup - 1][i];
    for (Clock t = kWarmup; t + 1 < kSteps; ++t) {
      const double gap = static_cast<double>(sgd.global[t + 1][i]) - sgd.local[0][t + 1][i];
      const double want = std::pow(kMomentum, static_cast<double>(t + 1 - kWarmup)) * velocity;
      CHECK(gap == doctest::Approx(want).epsilon(1e-4).scale(0.01));
    }
  }
  for (Clock t = kWarmup; t + 1 < kSteps; ++t)
    CHECK(distance(mc.global[t + 1], mc.local[0][t + 1]) < 1e-6);
}

TEST_CASE("fact 3: without a local step, gradients are taken one step late") {
  constexpr Clock kWarmup = 3;
  const Quadratic problem = random_quadratic(mixed_layout(), 2, 23);
  const Setup none = setup_of("od-sgd", LocalRule::kNone, 0.5F, 0, kWarmup);
  Setup zero = setup_of("od-sgd", LocalRule::kSgd, 0.5F, 0.7F, kWarmup);
  zero.settings.local_lr = 0;

  const Trace trace = train(none, problem);

  for (const auto& local : trace.local) {
    for (Clock t = 0; t <= kWarmup; ++t) CHECK(same_bits(local[t], trace.global[t]));
    for (Clock t = kWarmup; t + 1 < kSteps; ++t) CHECK(same_bits(local[t + 1], trace.global[t]));
    CHECK(same_bits(local[kWarmup], local[kWarmup + 1]));
  }
  check_same(train(zero, problem), trace);
}

TEST_CASE("fact 3: plain delayed SGD is W^{t+1} = W^t - lr g(W^{t-1})") {
  // g = w on one worker: W^{t+1} = W^t - 0.08 W^{t-1}, W^1 = W^0 - 0.08 W^0.
  const Quadratic problem = uniform_quadratic(scalar_layout(), 1, {1}, {0});
  Setup setup = setup_of("od-sgd", LocalRule::kNone, 0, 0, 0);
  setup.settings.weight_decay = 0;

  const Trace trace = train(setup, problem);

  std::vector<double> w{1, 0.92};
  while (w.size() <= kSteps) w.push_back(w.back() - 0.08 * w[w.size() - 2]);
  for (std::size_t t = 0; t <= kSteps; ++t)
    CHECK(trace.global[t][0] == doctest::Approx(w[t]).epsilon(1e-5));
}

TEST_CASE("fact 5: the mean of the local weights is the next global weights, on any data") {
  constexpr Clock kWarmup = 3;
  const Quadratic problem = random_quadratic(mixed_layout(), 3, 25);
  for (const Setup& setup : {setup_of("od-sgd", LocalRule::kSgd, 0, 0, kWarmup),
                             setup_of("od-sgd", LocalRule::kMc, 0, 0, kWarmup),
                             setup_of("od-sgd", LocalRule::kMc, 0.9F, 0, kWarmup)}) {
    const Trace trace = train(setup, problem);
    for (Clock t = kWarmup; t + 1 < kSteps; ++t) {
      std::vector<float> mean(problem.layout.floats());
      for (std::size_t i = 0; i < mean.size(); ++i) {
        double sum = 0;
        for (const auto& local : trace.local) sum += local[t + 1][i];
        mean[i] = static_cast<float>(sum / 3);
      }
      CAPTURE(t);
      CHECK(distance(mean, trace.global[t + 1]) < 2e-6);
    }
    CHECK(distance(trace.local[0][kSteps - 1], trace.local[1][kSteps - 1]) > 1e-3);
  }
}

TEST_CASE(
    "fact 5: with one curvature for all workers, mc's global weights are SSGD's, whatever their "
    "optima") {
  Quadratic problem = random_quadratic(mixed_layout(), 3, 26);
  problem.a[1] = problem.a[2] = problem.a[0];
  const Trace ssgd = train(setup_of("ssgd", LocalRule::kNone, 0.9F, 0, 0), problem);
  for (const Clock warmup : {0UL, 4UL}) {
    const Trace mc = train(setup_of("od-sgd", LocalRule::kMc, 0.9F, 0, warmup), problem);
    CHECK(distance(mc.global, ssgd.global) < 1e-5);
  }
  const Trace none = train(setup_of("od-sgd", LocalRule::kNone, 0.9F, 0, 0), problem);
  CHECK(distance(none.global, ssgd.global) > 1e-2);
}

TEST_CASE("fact 7: for identical workers mc is SSGD, by servers and without") {
  for (const int workers : {1, 3}) {
    for (const int servers : {1, kReplicated}) {
      CAPTURE(workers);
      CAPTURE(servers);
      const Quadratic problem = identical_workers(workers);
      Setup setup = setup_of("od-sgd", LocalRule::kMc, 0.9F, 0, 0);
      setup.servers = servers;
      const Trace mc = train(setup, problem);
      const Trace ssgd = train(setup_of("ssgd", LocalRule::kNone, 0.9F, 0, 0), problem);
      CHECK(distance(mc.global, ssgd.global) < 1e-5);
      CHECK(distance(mc.local[0], ssgd.local[0]) < 1e-5);
    }
  }
}
