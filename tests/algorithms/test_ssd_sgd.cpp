#include <doctest/doctest.h>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

constexpr int kWorkers = 3;
constexpr Clock kSteps = 15;

Setup setup_of(LocalRule rule, Clock delay_steps, Clock warmup) {
  Setup setup = distinct_setup("ssd-sgd", kWorkers, kSteps);
  setup.settings.local_rule = rule;
  setup.settings.delay_steps = delay_steps;
  setup.settings.warmup_steps = warmup;
  if (rule == LocalRule::kDcNorm) setup.settings.lambda = 0.2F;
  return with_variant(setup, {2, 1000, {microseconds(50), 6}});
}

}  // namespace

TEST_CASE("ssd-sgd: follows the serial reference for every local rule, delay and warm-up") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 61);
  for (const LocalRule rule : {LocalRule::kNone, LocalRule::kSgd, LocalRule::kDcC, LocalRule::kDcA,
                               LocalRule::kDcNorm, LocalRule::kMc, LocalRule::kGlu}) {
    for (const Clock delay_steps : {1UL, 3UL, 4UL}) {
      for (const Clock warmup : {0UL, 2UL}) {
        CAPTURE(local_rule_names()[static_cast<std::size_t>(rule)]);
        CAPTURE(delay_steps);
        CAPTURE(warmup);
        const Setup setup = setup_of(rule, delay_steps, warmup);
        check_follows(train(setup, problem), serial_ssd_sgd(problem, setup.settings, kSteps));
      }
    }
  }
}

TEST_CASE("ssd-sgd: dc rules measure from the base of the step before, pulled or not") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 62);
  for (const LocalRule rule : {LocalRule::kDcC, LocalRule::kDcA, LocalRule::kDcNorm}) {
    CAPTURE(local_rule_names()[static_cast<std::size_t>(rule)]);
    Setup setup = setup_of(rule, 3, 2);
    setup.settings.dc_reference = DcReference::kPrevGlobal;
    check_follows(train(setup, problem), serial_ssd_sgd(problem, setup.settings, kSteps));
  }
}

TEST_CASE("ssd-sgd: with a pull every step it is od-sgd, bit for bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 63);
  for (const LocalRule rule : {LocalRule::kSgd, LocalRule::kMc, LocalRule::kDcA}) {
    CAPTURE(local_rule_names()[static_cast<std::size_t>(rule)]);
    const Setup ssd = setup_of(rule, 1, 2);
    Setup od = ssd;
    od.algorithm = "od-sgd";
    check_same(train(ssd, problem), train(od, problem));
  }
}

TEST_CASE("ssd-sgd: by hand, local steps count from pull to pull") {
  // g = 1, lr 1/8, local lr 1/4, no momentum: W^t = -t/8, and after the pulls for t = 0, 3, 6, ...
  // w^{t+1} = W^t - 2/8, w^{t+2} = W^t - 4/8, w^{t+3} = W^t - 6/8.
  const Quadratic problem = constant_gradient(1, 2);
  Setup setup = setup_of(LocalRule::kSgd, 3, 0);
  setup.settings.workers = 2;
  setup.settings.lr = 0.125F;
  setup.settings.momentum = 0;
  setup.settings.weight_decay = 0;
  setup.settings.local_momentum = 0;
  setup.settings.local_lr = 0.25F;

  const Trace trace = train(setup, problem);

  for (Clock t = 0; t <= kSteps; ++t) CHECK(trace.global[t][0] == -0.125F * static_cast<float>(t));
  for (Clock t = 1; t < kSteps; ++t) {
    const Clock pulled = (t - 1) / 3 * 3;
    CAPTURE(t);
    CHECK(trace.local[0][t][0] == -0.125F * static_cast<float>(pulled + 2 * (t - pulled)));
  }
}

TEST_CASE("ssd-sgd: after warm-up pushes are 1 to k updates late, as steps from the pull go on") {
  // Weights of steps 0 to 2 are W^t; those of 3 to 5 come from W^2, of 6 to 8 from W^5.
  const Quadratic problem = random_quadratic(scalar_layout(), kWorkers, 64);
  Setup setup = setup_of(LocalRule::kSgd, 3, 2);
  setup.steps = 9;
  CHECK(train(setup, problem).staleness == StalenessCounts{{0, 9}, {1, 6}, {2, 6}, {3, 6}});
}
