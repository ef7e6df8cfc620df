// Nesterov's momentum and LARS, on the servers and in local updates.
#include <doctest/doctest.h>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"
#include "algorithms/slot.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

constexpr int kWorkers = 3;
constexpr Clock kSteps = 12;

Setup setup_of(const std::string& algorithm, Optimizer optimizer) {
  Setup setup = distinct_setup(algorithm, kWorkers, kSteps);
  setup.settings.optimizer = optimizer;
  setup.settings.warmup_steps = algorithm == "ssgd" ? kSteps : 2;
  return with_variant(setup, {2, 500, {microseconds(100), 13}});
}

AlgorithmSettings lars_settings(float decay) {
  AlgorithmSettings settings;
  settings.lr = 1;
  settings.momentum = 0;
  settings.weight_decay = decay;
  settings.optimizer = Optimizer::kLars;
  settings.lars_trust = 0.1F;
  return settings;
}

}  // namespace

TEST_CASE("servers: Nesterov's step by hand") {
  // lr 1/2, momentum 1/2: V = -1/2, W = 4 - 1/4 - 1/2; then g = 2: V = -1/4 - 1, W = 13/4 - 5/8
  // - 1.
  AlgorithmSettings settings;
  settings.lr = 0.5F;
  settings.momentum = 0.5F;
  settings.weight_decay = 0;
  settings.optimizer = Optimizer::kNesterov;
  Slot slot("ssgd", settings, {4});
  slot.update({{1}});
  CHECK(slot.weights()[0] == 3.25F);
  slot.update({{1}, {3}});
  CHECK(slot.weights()[0] == 1.625F);
}

TEST_CASE("servers: LARS by hand") {
  // |W| = 5, mean g = (0.6, 0.8) of length 1: ratio 0.1 * 5 / 1.
  Slot plain("ssgd", lars_settings(0), {3, 4});
  plain.update({{1.2F, 0}, {0, 1.6F}});
  CHECK(plain.weights()[0] == doctest::Approx(3 - 0.5 * 0.6));
  CHECK(plain.weights()[1] == doctest::Approx(4 - 0.5 * 0.8));
  // With decay 0.2: ratio 0.1 * 5 / (1 + 0.2 * 5) = 0.25, of the decayed gradient.
  Slot decayed("ssgd", lars_settings(0.2F), {3, 4});
  decayed.update({{0.6F, 0.8F}});
  CHECK(decayed.weights()[0] == doctest::Approx(3 - 0.25 * (0.6 + 0.2 * 3)));
  CHECK(decayed.weights()[1] == doctest::Approx(4 - 0.25 * (0.8 + 0.2 * 4)));
}

TEST_CASE("servers: LARS leaves the rate of biases, and of keys whose weights are 0, as it is") {
  Slot bias("ssgd", lars_settings(0.2F), {3, 4}, false);
  bias.update({{0.5F, 0.25F}});
  CHECK(bias.weights() == std::vector<float>{2.5F, 3.75F});
  Slot zero("ssgd", lars_settings(0.2F), {0, 0});
  zero.update({{0.5F, 0.25F}});
  CHECK(zero.weights() == std::vector<float>{-0.5F, -0.25F});
}

TEST_CASE(
    "ssgd: follows the serial reference by every optimizer, norms over keys of many messages") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 141);
  for (const Optimizer optimizer : {Optimizer::kSgd, Optimizer::kNesterov, Optimizer::kLars}) {
    CAPTURE(optimizer_names()[static_cast<std::size_t>(optimizer)]);
    const Setup setup = setup_of("ssgd", optimizer);
    check_follows(train(setup, problem), serial_od_sgd(problem, setup.settings, kSteps));
  }
}

TEST_CASE("od-sgd, ssd-sgd and cd-sgd: follow the serial reference by every optimizer") {
  const Quadratic problem = seven_classes(kWorkers);
  for (const Optimizer optimizer : {Optimizer::kNesterov, Optimizer::kLars}) {
    for (const LocalRule rule : {LocalRule::kSgd, LocalRule::kMc, LocalRule::kDcC}) {
      CAPTURE(optimizer_names()[static_cast<std::size_t>(optimizer)]);
      CAPTURE(local_rule_names()[static_cast<std::size_t>(rule)]);
      const auto trained = [&](const std::string& algorithm) {
        Setup setup = setup_of(algorithm, optimizer);
        setup.settings.local_rule = rule;
        return train(setup, problem);
      };
      AlgorithmSettings settings = setup_of("od-sgd", optimizer).settings;
      settings.local_rule = rule;
      check_follows(trained("od-sgd"), serial_od_sgd(problem, settings, kSteps));
      check_follows(trained("ssd-sgd"), serial_ssd_sgd(problem, settings, kSteps));
      const SerialTrace cd = serial_cd_sgd(problem, settings, kSteps);
      CHECK(cd.nearest_tie > 1e-5);
      check_follows(trained("cd-sgd"), cd);
    }
  }
}

TEST_CASE("od-sgd by LARS: one worker's local step is the server's, by the same ratio") {
  const Quadratic problem = random_quadratic(mixed_layout(), 1, 142);
  Setup setup = setup_of("od-sgd", Optimizer::kLars);
  setup.settings.workers = 1;
  setup.settings.warmup_steps = 0;
  setup.settings.local_lr = setup.settings.lr;
  setup.settings.local_momentum = setup.settings.momentum;
  const Trace trace = train(setup, problem);
  for (Clock t = 0; t < kSteps; ++t) {
    const auto& W = trace.global[t];
    CHECK(largest_difference({trace.local[0][t]}, {Doubles(W.begin(), W.end())}) < 1e-6);
  }
}

TEST_CASE("LARS and Nesterov: servers, roles, message sizes and delays do not change a bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 143);
  for (const Optimizer optimizer : {Optimizer::kNesterov, Optimizer::kLars}) {
    const Setup setup = setup_of("od-sgd", optimizer);
    const Trace reference = train(setup, problem);
    for (const Variant& variant : {Variant{1, 65536, {}},
                                   {3, 100, {microseconds(300), 1}},
                                   {kColocated, 700, {}},
                                   {kReplicated, 700, {}}}) {
      CAPTURE(describe(variant));
      check_same(train(with_variant(setup, variant), problem), reference);
    }
  }
}
