#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/golden.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

Setup asgd(float lr, float momentum, Clock steps) {
  Setup setup{.algorithm = "asgd", .steps = steps};
  setup.settings = {.lr = lr, .momentum = momentum, .weight_decay = 0.01F};
  return setup;
}

std::uint64_t pushes_of(const StalenessCounts& counts) {
  std::uint64_t sum = 0;
  for (const auto& [staleness, count] : counts) sum += count;
  return sum;
}

}  // namespace

TEST_CASE("asgd: with one worker it is SGD, bit for bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), 1, 1);
  const Setup alone = asgd(0.1F, 0.9F, 10);
  Setup synchronous = alone;
  synchronous.algorithm = "ssgd";
  const Trace sgd = train(synchronous, problem);
  for (const int servers : {1, 3, kColocated}) {
    CAPTURE(servers);
    check_same(train(with_variant(alone, {servers, 100, {microseconds(200), 1}}), problem), sgd);
  }
}

TEST_CASE(
    "asgd: global weights are those of all workers' steps and no others, the same everywhere") {
  const Quadratic problem = random_quadratic(mixed_layout(), 3, 2);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const int servers : {1, 2, kColocated}) {
      CAPTURE(seed);
      CAPTURE(servers);
      // train() and the rule throw when a worker gets other weights or another clock.
      const Setup setup =
          with_variant(asgd(0.05F, 0.5F, 6), {servers, 1000, {microseconds(500), seed}});
      const Trace trace = train(setup, problem);
      CHECK(trace.global.size() == 7);
      CHECK(same_bits(trace.global[0], problem.initial));
    }
  }
}

TEST_CASE("asgd: the staleness of every push of a slice is counted, and none is impossible") {
  constexpr Clock kSteps = 15;
  const Quadratic problem = random_quadratic(scalar_layout(), 3, 3);
  Setup setup = with_variant(asgd(0.05F, 0.5F, kSteps), {1, 65536, {microseconds(300), 1}});
  setup.reads_every_step = false;

  const Trace trace = train(setup, problem);

  CHECK(pushes_of(trace.staleness) == 3 * kSteps);
  CHECK(trace.staleness.rbegin()->first <= 2 * kSteps);  // the other two workers' pushes
}

TEST_CASE("asgd: M pushes taken with the same weights have staleness 0 to M - 1") {
  // All wait for the global weights between steps, so the pushes of step t have clock 3 t as base.
  constexpr Clock kSteps = 5;
  const Quadratic problem = random_quadratic(scalar_layout(), 3, 4);

  const Trace trace = train(asgd(0.05F, 0.5F, kSteps), problem);

  CHECK(trace.staleness == StalenessCounts{{0, kSteps}, {1, kSteps}, {2, kSteps}});
}

TEST_CASE("asgd: workers with one optimum reach it, whatever the order of arrival") {
  // 1/2 a (w - 1)^2 with lr a = 0.05 or less: far inside the stable range for any staleness here.
  const Quadratic problem = uniform_quadratic(mixed_layout(), 3, {0.5F, 1, 0.8F}, {1, 1, 1});
  Setup setup = with_variant(asgd(0.05F, 0, 200), {2, 65536, {microseconds(20), 1}});
  setup.settings.weight_decay = 0;
  setup.reads_every_step = false;

  const Trace trace = train(setup, problem);

  const auto& w = trace.global.back();
  CHECK(std::all_of(w.begin(), w.end(), [](float x) { return std::abs(x - 1) < 1e-3F; }));
}
