#include <doctest/doctest.h>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

constexpr int kWorkers = 3;
constexpr Clock kSteps = 14;

Setup setup_of(Clock local_steps, float alpha) {
  Setup setup = distinct_setup("easgd", kWorkers, kSteps);
  setup.settings.local_steps = local_steps;
  setup.settings.elastic_alpha = alpha;
  return with_variant(setup, {2, 1000, {microseconds(50), 10}});
}

}  // namespace

TEST_CASE("easgd: follows the serial reference, also when the last round is short") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 91);
  for (const Clock local_steps : {1UL, 3UL, 20UL}) {
    for (const float alpha : {0.1F, 0.3F}) {
      CAPTURE(local_steps);
      CAPTURE(alpha);
      const Setup setup = setup_of(local_steps, alpha);
      check_follows(train(setup, problem), serial_easgd(problem, setup.settings, kSteps));
    }
  }
}

TEST_CASE("easgd: the centre moves to (1 - M a) z + a times the sum of x, which the workers had") {
  // x before the exchange is not recorded; with local lr 0 it is what it was a step before.
  Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 92);
  Setup setup = setup_of(1, 0.3F);
  setup.settings.local_momentum = 0;
  setup.settings.local_lr = {};
  setup.settings.local_lr.base = 0.3;  // the first 4 steps move workers apart, then they rest
  setup.settings.local_lr.shape = ScheduleShape::kStep;
  setup.settings.local_lr.milestones = {4};
  setup.settings.local_lr.factor = 0;

  const Trace trace = train(setup, problem);

  const double a = setup.settings.elastic_alpha;
  for (Clock t = 4; t < kSteps; ++t) {
    CAPTURE(t);
    Doubles want(problem.layout.floats());
    for (std::size_t i = 0; i < want.size(); ++i) {
      double sum = 0;
      for (const auto& x : trace.local) sum += x[t][i];
      want[i] = (1 - kWorkers * a) * trace.global[t][i] + a * sum;
    }
    CHECK(largest_difference({trace.global[t + 1]}, {want}) < 1e-6);
  }
}

TEST_CASE("easgd: by hand, with centre and workers drawing nearer to each other") {
  // g = w - c with c = 0, 4, W^0 = 2, local lr 1/2, H = 1, a = 1/4:
  // x = 1, 3; z = 2 + 1/4 (-1 + 1) = 2; x = 1 + 1/4 = 5/4, 3 - 1/4 = 11/4; then x = 5/8, 27/8, z
  // = 2.
  const Quadratic problem = uniform_quadratic(scalar_layout(), 2, {1, 1}, {0, 4});
  Setup setup = setup_of(1, 0.25F);
  setup.settings.workers = 2;
  setup.settings.local_lr = 0.5F;
  setup.settings.local_momentum = 0;
  setup.settings.weight_decay = 0;

  const Trace trace = train(setup, problem);

  CHECK(trace.local[0][1][0] == 1.25F);
  CHECK(trace.local[1][1][0] == 2.75F);
  CHECK(trace.local[0][2][0] == 0.625F + 0.25F * (2 - 0.625F));
  CHECK(trace.global[1][0] == 2);
  CHECK(trace.global[2][0] == 2);
}
