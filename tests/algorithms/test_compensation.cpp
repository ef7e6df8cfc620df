// Where the delay compensation acts, and where it must not: dc rules beside sgd without momentum,
// which they are but for it.
#include <doctest/doctest.h>

#include "algorithms/golden.hpp"
#include "algorithms/setups.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr Clock kSteps = 10;
constexpr Clock kWarmup = 3;
constexpr LocalRule kCompensated[] = {LocalRule::kDcC, LocalRule::kDcA, LocalRule::kDcNorm};
constexpr DcReference kReferences[] = {DcReference::kPrevGlobal, DcReference::kCompute};

Setup setup_of(LocalRule rule, DcReference reference, float lambda, int workers) {
  Setup setup = distinct_setup("od-sgd", workers, kSteps);
  setup.settings.local_rule = rule;
  setup.settings.local_momentum = 0;
  setup.settings.dc_reference = reference;
  setup.settings.lambda = lambda;
  setup.settings.warmup_steps = kWarmup;
  return setup;
}

Setup plain_setup(int workers) {
  return setup_of(LocalRule::kSgd, DcReference::kCompute, 0, workers);
}

/// How many floats differ.
std::size_t differing(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0U : 1U;
  return count;
}

}  // namespace

TEST_CASE("fact 4: with lambda 0 every dc rule is sgd without momentum, bit for bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), 3, 51);
  const Trace sgd = train(plain_setup(3), problem);
  for (const LocalRule rule : kCompensated) {
    for (const DcReference reference : kReferences) {
      CAPTURE(static_cast<int>(rule));
      CAPTURE(static_cast<int>(reference));
      check_same(train(setup_of(rule, reference, 0, 3), problem), sgd);
    }
  }
}

TEST_CASE("fact 4: at the end of warm-up nothing is compensated, and from the next step on it is") {
  const Quadratic problem = random_quadratic(mixed_layout(), 3, 52);
  const Trace sgd = train(plain_setup(3), problem);
  for (const LocalRule rule : kCompensated) {
    for (const DcReference reference : kReferences) {
      CAPTURE(static_cast<int>(rule));
      CAPTURE(static_cast<int>(reference));
      const Trace dc = train(setup_of(rule, reference, 0.5F, 3), problem);
      // The local update of step T_w makes w^{T_w+1}; global weights see its effect in the gradient
      // of step T_w + 1, and that of the first compensated one a step later.
      for (std::size_t m = 0; m < 3; ++m) {
        for (Clock t = 0; t <= kWarmup + 1; ++t) {
          CHECK(same_bits(dc.local[m][t], sgd.local[m][t]));
        }
        CHECK(differing(dc.local[m][kWarmup + 2], sgd.local[m][kWarmup + 2]) >
              problem.layout.floats() / 2);
      }
      for (Clock t = 0; t <= kWarmup + 2; ++t) CHECK(same_bits(dc.global[t], sgd.global[t]));
      CHECK(differing(dc.global[kWarmup + 3], sgd.global[kWarmup + 3]) >
            problem.layout.floats() / 2);
    }
  }
}

TEST_CASE(
    "dc rules: from where the gradient was taken, one worker that predicts exactly is alone") {
  // One worker without momentum: w^t = W^t, so nothing is left to compensate; W^t - W^{t-1} is not
  // nothing.
  const Quadratic problem = random_quadratic(mixed_layout(), 1, 53);
  const auto alone = [&](LocalRule rule, DcReference reference, float lambda) {
    Setup setup = setup_of(rule, reference, lambda, 1);
    setup.settings.momentum = 0;
    setup.settings.local_lr = setup.settings.lr;
    return train(setup, problem);
  };
  const Trace sgd = alone(LocalRule::kSgd, DcReference::kCompute, 0);
  for (const LocalRule rule : kCompensated) {
    CAPTURE(static_cast<int>(rule));
    check_same(alone(rule, DcReference::kCompute, 0.5F), sgd);
    const Trace moved = alone(rule, DcReference::kPrevGlobal, 0.5F);
    CHECK(differing(moved.global[kSteps], sgd.global[kSteps]) > problem.layout.floats() / 2);
  }
}
