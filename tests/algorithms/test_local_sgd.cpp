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
constexpr Clock kSteps = 14;  // rounds of 3 steps, and one of 2

Setup setup_of(Clock local_steps, float outer_lr, float outer_momentum) {
  Setup setup = distinct_setup("local-sgd", kWorkers, kSteps);
  setup.settings.local_steps = local_steps;
  setup.settings.outer_lr = outer_lr;
  setup.settings.outer_momentum = outer_momentum;
  return with_variant(setup, {2, 1000, {microseconds(50), 9}});
}

}  // namespace

TEST_CASE("local-sgd: follows the serial reference, also when the last round is short") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 81);
  for (const Clock local_steps : {1UL, 3UL, 20UL}) {
    for (const float outer_momentum : {0.0F, 0.55F}) {
      for (const float outer_lr : {1.0F, 0.7F}) {
        CAPTURE(local_steps);
        CAPTURE(outer_momentum);
        CAPTURE(outer_lr);
        const Setup setup = setup_of(local_steps, outer_lr, outer_momentum);
        check_follows(train(setup, problem), serial_local_sgd(problem, setup.settings, kSteps));
      }
    }
  }
}

TEST_CASE("local-sgd: with outer lr 1 and no outer momentum all take the mean of their weights") {
  // By hand: g = w - c with c = 0, 4, W^0 = 2, local lr 1/2, 2 steps a round:
  // worker 0: 1, 1/2; worker 1: 3, 7/2; mean 2.
  const Quadratic problem = uniform_quadratic(scalar_layout(), 2, {1, 1}, {0, 4});
  Setup setup = setup_of(2, 1, 0);
  setup.settings.workers = 2;
  setup.settings.local_lr = 0.5F;
  setup.settings.local_momentum = 0;
  setup.settings.weight_decay = 0;

  const Trace trace = train(setup, problem);

  CHECK(trace.local[0][1][0] == 1);
  CHECK(trace.local[1][1][0] == 3);
  CHECK(trace.global[1][0] == 2);
  CHECK(trace.global[2][0] == 2);
  CHECK(trace.local[0][2][0] == 2);
}

TEST_CASE("local-sgd: outer Nesterov momentum by hand") {
  // One worker, H = 1, g = 1, local lr 1/4: D = 1/4 each round. Outer lr 1/2, momentum 1/2:
  // V = -1/8, W = 0 - 1/16 - 1/8 = -3/16;  V = -1/16 - 1/8 = -3/16, W = -3/16 - 3/32 - 1/8 =
  // -13/32.
  const Quadratic problem = constant_gradient(1, 1);
  Setup setup = setup_of(1, 0.5F, 0.5F);
  setup.settings.workers = 1;
  setup.settings.local_lr = 0.25F;
  setup.settings.local_momentum = 0;
  setup.settings.weight_decay = 0;

  const Trace trace = train(setup, problem);

  CHECK(trace.global[1][0] == -3.0F / 16);
  CHECK(trace.global[2][0] == -13.0F / 32);
}

TEST_CASE("local-sgd: with one step a round and no momentum it is SSGD, within rounding") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 82);
  Setup local = setup_of(1, 1, 0);
  local.settings.local_momentum = 0;
  local.settings.local_lr = 0.07F;
  Setup ssgd = local;
  ssgd.algorithm = "ssgd";
  ssgd.settings.momentum = 0;

  const Trace a = train(local, problem);
  const Trace b = train(ssgd, problem);

  for (Clock t = 0; t <= kSteps; ++t) {
    CHECK(largest_difference({a.global[t]}, {Doubles(b.global[t].begin(), b.global[t].end())}) <
          2e-6);
  }
}

TEST_CASE("local-sgd: every push has staleness 0, and there is one a round") {
  const Quadratic problem = random_quadratic(scalar_layout(), kWorkers, 83);
  Setup setup = setup_of(3, 1, 0);
  setup.servers = 1;
  CHECK(train(setup, problem).staleness == StalenessCounts{{0, kWorkers * 5}});
}
