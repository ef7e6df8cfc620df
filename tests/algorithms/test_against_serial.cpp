#include <doctest/doctest.h>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

constexpr Clock kSteps = 20;

Setup setup_of(LocalRule rule, Clock warmup) {
  Setup setup{.algorithm = "od-sgd", .steps = kSteps};
  setup.settings = {.lr = 0.07F,
                    .momentum = 0.8F,
                    .weight_decay = 0.02F,
                    .local_rule = rule,
                    .local_lr = 0.05F,
                    .local_momentum = 0.6F,
                    .warmup_steps = warmup};
  return setup;
}

}  // namespace

TEST_CASE("od-sgd: follows the serial reference on workers that all differ, with any warm-up") {
  const Quadratic problem = random_quadratic(mixed_layout(), 3, 11);
  for (const LocalRule rule : {LocalRule::kNone, LocalRule::kSgd, LocalRule::kMc}) {
    for (const Clock warmup : {0UL, 1UL, 5UL, 20UL, 100UL}) {
      CAPTURE(local_rule_names()[static_cast<std::size_t>(rule)]);
      CAPTURE(warmup);
      const Setup setup = setup_of(rule, warmup);
      const Trace trace = train(with_variant(setup, {2, 1000, {microseconds(100), 5}}), problem);
      check_follows(trace, serial_od_sgd(problem, setup.settings, kSteps));
    }
  }
}

TEST_CASE("od-sgd: while warm-up lasts it is SSGD, bit for bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), 3, 12);
  Setup ssgd = setup_of(LocalRule::kMc, 0);
  ssgd.algorithm = "ssgd";
  check_same(train(setup_of(LocalRule::kMc, kSteps), problem), train(ssgd, problem));
}

TEST_CASE("ssgd: follows the serial reference") {
  const Quadratic problem = random_quadratic(mixed_layout(), 4, 13);
  Setup setup = setup_of(LocalRule::kMc, kSteps);
  const SerialTrace want = serial_od_sgd(problem, setup.settings, kSteps);
  setup.algorithm = "ssgd";
  check_follows(train(with_variant(setup, {3, 1000, {}}), problem), want);
}

TEST_CASE("od-sgd and ssgd: sums run in worker order, so no delay or layout changes a bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), 4, 14);
  Setup ssgd = setup_of(LocalRule::kMc, 0);
  ssgd.algorithm = "ssgd";
  for (const Setup& setup : {setup_of(LocalRule::kMc, 3), setup_of(LocalRule::kSgd, 0), ssgd}) {
    const Trace reference = train(setup, problem);
    for (Variant variant : variants()) {
      if (variant.message_floats == 1) continue;  // slow, and the golden rows have it
      CAPTURE(describe(variant));
      check_same(train(with_variant(setup, variant), problem), reference);
    }
  }
}

TEST_CASE("od-sgd: the staleness of every push is 0 up to the end of warm-up and 1 after it") {
  const Quadratic problem = random_quadratic(scalar_layout(), 3, 15);
  const Trace trace = train(setup_of(LocalRule::kMc, 5), problem);
  // Steps 0 to 5 compute with W^t, the other 14 without the last round; 3 workers push each.
  CHECK(trace.staleness == StalenessCounts{{0, 3 * 6}, {1, 3 * 14}});
}

TEST_CASE("od-sgd: staleness is the same without servers, where each rank counts its own slices") {
  const Quadratic problem = random_quadratic(scalar_layout(), 3, 15);
  Setup setup = setup_of(LocalRule::kMc, 5);
  setup.servers = kReplicated;
  CHECK(train(setup, problem).staleness == StalenessCounts{{0, 3 * 6}, {1, 3 * 14}});
}

TEST_CASE("ssgd: every push has staleness 0") {
  const Quadratic problem = random_quadratic(scalar_layout(), 3, 16);
  Setup setup = setup_of(LocalRule::kMc, 0);
  setup.algorithm = "ssgd";
  CHECK(train(setup, problem).staleness == StalenessCounts{{0, 3 * kSteps}});
}
