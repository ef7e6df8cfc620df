#include <doctest/doctest.h>

#include <cmath>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

constexpr Clock kSteps = 18;

/// One worker whose pushes show in the weights: sent = W^t - W^{t+1}, the learning rate is 1.
Setup alone(float threshold, Clock correction_steps, Clock warmup) {
  Setup setup = distinct_setup("cd-sgd", 1, kSteps);
  setup.settings.lr = 1;
  setup.settings.momentum = 0;
  setup.settings.weight_decay = 0;
  setup.settings.local_rule = LocalRule::kNone;
  setup.settings.threshold = threshold;
  setup.settings.correction_steps = correction_steps;
  setup.settings.warmup_steps = warmup;
  return with_variant(setup, {2, 1001, {microseconds(50), 8}});
}

}  // namespace

TEST_CASE("cd-sgd: follows the serial reference, with all codes, a residual and corrections") {
  const Quadratic problem = seven_classes(3);
  for (const LocalRule rule : {LocalRule::kSgd, LocalRule::kMc, LocalRule::kDcC}) {
    for (const Clock correction_steps : {2UL, 4UL, 1000UL}) {
      for (const Clock warmup : {0UL, 3UL}) {
        CAPTURE(local_rule_names()[static_cast<std::size_t>(rule)]);
        CAPTURE(correction_steps);
        CAPTURE(warmup);
        Setup setup = distinct_setup("cd-sgd", 3, kSteps);
        setup.settings.local_rule = rule;
        setup.settings.correction_steps = correction_steps;
        setup.settings.warmup_steps = warmup;
        const SerialTrace want = serial_cd_sgd(problem, setup.settings, kSteps);
        for (const std::size_t count : want.codes) CHECK(count > 1000);
        CHECK(want.nearest_tie > 1e-5);  // floats round to the same side
        // Messages of 1001 floats: slices that are no multiple of 16.
        check_follows(train(with_variant(setup, {2, 1001, {microseconds(50), 7}}), problem), want);
      }
    }
  }
}

TEST_CASE("cd-sgd, fact 10: exact in every step it is od-sgd, bit for bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), 3, 72);
  for (const LocalRule rule : {LocalRule::kSgd, LocalRule::kMc}) {
    Setup cd = distinct_setup("cd-sgd", 3, kSteps);
    cd.settings.local_rule = rule;
    cd.settings.correction_steps = 1;
    Setup od = cd;
    od.algorithm = "od-sgd";
    check_same(train(with_variant(cd, {2, 1001, {}}), problem), train(od, problem));
  }
}

TEST_CASE("cd-sgd: servers, message sizes and delays do not change a bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), 2, 73);
  const Setup setup = distinct_setup("cd-sgd", 2, kSteps);
  const Trace reference = train(setup, problem);
  for (const Variant& variant : {Variant{3, 65536, {microseconds(300), 1}},
                                 {kColocated, 500, {}},
                                 {2, 33, {microseconds(200), 2}},
                                 {1, 4104, {}}}) {
    CAPTURE(describe(variant));
    check_same(train(with_variant(setup, variant), problem), reference);
  }
}

TEST_CASE(
    "cd-sgd, fact 10: what was sent and the residual are all gradients, and while no gradient "
    "exceeds theta no residual does") {
  constexpr Clock kWarmup = 2;
  constexpr Clock kCorrection = 5;
  constexpr float kTheta = 0.5F;
  Quadratic problem = random_quadratic(mixed_layout(), 1, 74);
  for (auto& a : problem.a.front()) a /= 8;
  const Trace trace = train(alone(kTheta, kCorrection, kWarmup), problem);

  std::array<std::size_t, 3> codes{};
  for (std::size_t i = 0; i < problem.layout.floats(); ++i) {
    double r = 0;
    for (Clock t = 0; t < kSteps; ++t) {
      const float g = problem.gradient(0, t, i, trace.local[0][t][i]);
      const double sent = static_cast<double>(trace.global[t][i]) - trace.global[t + 1][i];
      REQUIRE(std::abs(g) <= kTheta);
      if (t < kWarmup || (t + 1) % kCorrection == 0) {
        REQUIRE(std::abs(sent - g) < 1e-6);
        continue;
      }
      const double code = std::round(sent / kTheta);
      REQUIRE(std::abs(code) <= 1);
      REQUIRE(std::abs(sent - code * kTheta) < 1e-6);
      ++codes[static_cast<std::size_t>(code + 1)];
      r += g - code * kTheta;
      REQUIRE(std::abs(r) < kTheta + 1e-5);
    }
  }
  for (const std::size_t count : codes) CHECK(count > 100);
}

TEST_CASE("cd-sgd, fact 10: of a steady gradient beyond theta the residual grows without bound") {
  // theta 1/64, g = 3/64: each compressed push sends 1/64 and leaves 2/64 more; the exact ones,
  // every 4th, send 3/64 and nothing of what was left.
  constexpr float kUnit = 1.0F / 64;
  const Trace trace = train(alone(kUnit, 4, 0), constant_gradient(3 * kUnit, 1));
  float sum = 0;
  for (Clock t = 0; t < kSteps; ++t) {
    CAPTURE(t);
    CHECK(trace.global[t][0] - trace.global[t + 1][0] == ((t + 1) % 4 == 0 ? 3 : 1) * kUnit);
    sum += trace.global[t][0] - trace.global[t + 1][0];
  }
  // 14 of the 18 steps are compressed: 14 * 2/64 are left out.
  CHECK(3 * kUnit * kSteps - sum == 14 * 2 * kUnit);
}

TEST_CASE("cd-sgd: by hand, a residual waits until it reaches theta, across an exact push") {
  // theta 4/64, g = 3/64 each step: r = 3; 6: send 4, keep 2; [exact: 3]; 5: send 4, keep 1; 4:
  // send 4, keep 0; [exact]; 3; 6: ... with every third push exact.
  constexpr float kUnit = 1.0F / 64;
  const Trace trace = train(alone(4 * kUnit, 3, 0), constant_gradient(3 * kUnit, 1));
  const float want[] = {0, 4, 3, 4, 4, 3, 0, 4, 3, 4, 4, 3};
  for (Clock t = 0; t < 12; ++t) {
    CAPTURE(t);
    CHECK(trace.global[t][0] - trace.global[t + 1][0] == want[t] * kUnit);
  }
}
