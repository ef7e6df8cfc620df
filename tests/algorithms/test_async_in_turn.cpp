// Rules whose servers apply each push at once, with pushes that come in turn through the real
// exchange: then all is determined.
#include <doctest/doctest.h>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"
#include "algorithms/turns.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

constexpr int kWorkers = 3;
constexpr Clock kSteps = 12;

Setup setup_of(const std::string& algorithm) {
  Setup setup = distinct_setup(algorithm, kWorkers, kSteps);
  setup.settings.lr = 0.03F;
  setup.reads_every_step = false;
  return with_variant(setup, {2, 1000, {microseconds(100), 11}});
}

Trace train_in_turn(Setup setup, const Quadratic& problem) {
  Turns turns(problem.workers(), setup.steps);
  setup.on_weights = [&turns](int worker, Clock t) { turns.wait(worker, t); };
  Trace trace = train(setup, problem);
  trace.global.clear();  // the last step's pushes are not in turn
  return trace;
}

}  // namespace

TEST_CASE("asgd: with pushes in turn it follows the serial reference") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 101);
  for (const Optimizer optimizer : {Optimizer::kSgd, Optimizer::kNesterov, Optimizer::kLars}) {
    CAPTURE(optimizer_names()[static_cast<std::size_t>(optimizer)]);
    Setup setup = setup_of("asgd");
    setup.settings.optimizer = optimizer;
    check_follows(train_in_turn(setup, problem), serial_asgd(problem, setup.settings, kSteps));
  }
}

TEST_CASE("ssp: with pushes in turn no worker is ahead by more than a step, so it is asgd") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 102);
  const Setup ssp = setup_of("ssp");
  check_follows(train_in_turn(ssp, problem), serial_asgd(problem, ssp.settings, kSteps));
  check_same(train_in_turn(ssp, problem), train_in_turn(setup_of("asgd"), problem));
}

TEST_CASE("dc-asgd: with pushes in turn it follows the serial reference, by either lambda") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 103);
  for (const LambdaRule rule : {LambdaRule::kConstant, LambdaRule::kAdaptive}) {
    for (const float momentum : {0.0F, 0.5F}) {
      CAPTURE(lambda_rule_names()[static_cast<std::size_t>(rule)]);
      CAPTURE(momentum);
      Setup setup = setup_of("dc-asgd");
      setup.settings.lambda_rule = rule;
      setup.settings.momentum = momentum;
      check_follows(train_in_turn(setup, problem), serial_dc_asgd(problem, setup.settings, kSteps));
    }
  }
}

TEST_CASE("dc-asgd: lambda 0 is asgd, bit for bit, and another is not") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 104);
  const Trace asgd = train_in_turn(setup_of("asgd"), problem);
  for (const LambdaRule rule : {LambdaRule::kConstant, LambdaRule::kAdaptive}) {
    Setup setup = setup_of("dc-asgd");
    setup.settings.lambda_rule = rule;
    setup.settings.lambda = 0;
    check_same(train_in_turn(setup, problem), asgd);
    setup.settings.lambda = 0.5F;
    const auto compensated = train_in_turn(setup, problem).local[2].back();
    CHECK(largest_difference({asgd.local[2].back()},
                             {Doubles(compensated.begin(), compensated.end())}) > 1e-3);
  }
}

TEST_CASE("asgd in turn: every push has staleness M - 1, but a worker's first in its turn") {
  const Quadratic problem = random_quadratic(scalar_layout(), kWorkers, 105);
  Setup setup = setup_of("asgd");
  setup.servers = 1;
  const StalenessCounts counts = train_in_turn(setup, problem).staleness;
  // Step 0: 0, 1, 2. Then 2 each; the last step's pushes were all taken with weights that are 2, 1
  // and 0 updates old when it begins, and in whatever order they come: 2 to 4 in sum at most.
  CHECK(counts.at(0) >= 1);
  CHECK(counts.at(2) >= kWorkers * (kSteps - 2));
  CHECK(counts.rbegin()->first <= 2 * (kWorkers - 1));
}
