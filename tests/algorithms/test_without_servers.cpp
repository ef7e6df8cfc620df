// Every rule that needs no servers gives the bits of a training with them.
#include <doctest/doctest.h>

#include "algorithms/golden.hpp"
#include "algorithms/setups.hpp"
#include "odsgd/algorithms/registry.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

TEST_CASE("without servers: every rule that takes rounds of floats has the bits of servers") {
  constexpr int kWorkers = 3;
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 17);
  int rules = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.pushes_two_bits || !algorithm.make_server({}).takes_rounds) continue;
    CAPTURE(algorithm.name);
    ++rules;
    Setup setup = distinct_setup(algorithm.name, kWorkers, 13);
    setup.settings.warmup_steps = 2;
    for (const bool reads_every_step : {true, false}) {
      CAPTURE(reads_every_step);
      setup.reads_every_step = reads_every_step;
      const Trace want = train(setup, problem);
      check_same(train(with_variant(setup, {kReplicated, 65536, {}}), problem), want);
      check_same(train(with_variant(setup, {kReplicated, 900, {microseconds(300), 4}}), problem),
                 want);
    }
  }
  CHECK(rules == 7);  // ssgd, od-sgd, ssd-sgd, pipe-sgd, dc-s3gd, local-sgd, easgd
}
