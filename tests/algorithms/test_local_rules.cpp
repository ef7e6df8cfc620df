// Every local update under od-sgd, on workers that all differ.
#include <doctest/doctest.h>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

constexpr int kWorkers = 3;
constexpr Clock kSteps = 16;

struct Case {
  LocalRule rule;
  DcReference reference = DcReference::kCompute;
};

std::vector<Case> cases() {
  std::vector<Case> all{{LocalRule::kNone}, {LocalRule::kSgd}, {LocalRule::kMc}};
  for (const LocalRule rule : {LocalRule::kDcC, LocalRule::kDcA, LocalRule::kDcNorm}) {
    all.push_back({rule, DcReference::kPrevGlobal});
    all.push_back({rule, DcReference::kCompute});
  }
  return all;
}

Setup setup_of(const Case& c, LocalScale scale, Clock warmup) {
  Setup setup = distinct_setup("od-sgd", kWorkers, kSteps);
  setup.settings.local_rule = c.rule;
  setup.settings.dc_reference = c.reference;
  setup.settings.local_scale = scale;
  setup.settings.warmup_steps = warmup;
  if (c.rule == LocalRule::kDcNorm) setup.settings.lambda = 0.2F;
  return with_variant(setup, {2, 1000, {microseconds(50), 5}});
}

}  // namespace

TEST_CASE("od-sgd: each local rule follows the serial reference, by either reference and scale") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 42);
  for (const Case& c : cases()) {
    for (const LocalScale scale : {LocalScale::kWorker, LocalScale::kGlobal}) {
      for (const Clock warmup : {0UL, 4UL}) {
        CAPTURE(local_rule_names()[static_cast<std::size_t>(c.rule)]);
        CAPTURE(dc_reference_names()[static_cast<std::size_t>(c.reference)]);
        CAPTURE(local_scale_names()[static_cast<std::size_t>(scale)]);
        CAPTURE(warmup);
        const Setup setup = setup_of(c, scale, warmup);
        check_follows(train(setup, problem), serial_od_sgd(problem, setup.settings, kSteps));
      }
    }
  }
}

TEST_CASE(
    "od-sgd: sgd at global scale with M times the rate and decay / M is that at worker scale") {
  // u = -lr' (g + decay b) = -(M lr') (g / M + (decay / M) b); decay is one setting for servers and
  // workers, so without it.
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 43);
  Setup worker = setup_of({LocalRule::kSgd}, LocalScale::kWorker, 2);
  worker.settings.weight_decay = 0;
  Setup global = worker;
  global.settings.local_scale = LocalScale::kGlobal;
  global.settings.local_lr = 0.05F * kWorkers;

  const Trace a = train(worker, problem);
  const Trace b = train(global, problem);

  for (Clock t = 0; t <= kSteps; ++t) {
    CAPTURE(t);
    CHECK(largest_difference({a.global[t]}, {Doubles(b.global[t].begin(), b.global[t].end())}) <
          2e-6);
  }
}

TEST_CASE("pipe-sgd: it is od-sgd with the local rule none, bit for bit, whatever rule is set") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 44);
  for (const Clock warmup : {0UL, 3UL}) {
    CAPTURE(warmup);
    const Setup none = setup_of({LocalRule::kNone}, LocalScale::kWorker, warmup);
    Setup pipe = setup_of({LocalRule::kMc}, LocalScale::kWorker, warmup);
    pipe.algorithm = "pipe-sgd";
    check_same(train(pipe, problem), train(none, problem));
  }
}
