// Training on the ranks of an MPI job gives the bits of training on threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/golden.hpp"
#include "algorithms/setups.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "support/mpi_world.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

/// This rank's part over MPI.
RankTrace train_over_mpi(const Setup& setup, const Quadratic& problem) {
  const auto endpoint = with_delays(mpi_world().endpoint(), setup.delays);
  return train_rank(*endpoint, setup, problem);
}

void check_same_over_mpi(const Setup& setup, const Quadratic& problem) {
  const RankTrace got = train_over_mpi(setup, problem);
  const Trace want = train(setup, problem);
  const int worker = mpi_world().rank() - std::max(setup.servers, 0);
  if (worker < 0) return;
  CHECK(got.global.size() == setup.steps + 1);
  for (std::size_t t = 0; t < got.global.size(); ++t) {
    CAPTURE(t);
    CHECK(same_bits(got.global[t], want.global[t]));
  }
  CHECK(got.local.size() == setup.steps);
  for (std::size_t t = 0; t < got.local.size(); ++t) {
    CAPTURE(t);
    CHECK(same_bits(got.local[t], want.local[static_cast<std::size_t>(worker)][t]));
  }
}

Setup synchronous(const std::string& algorithm, const Variant& variant) {
  Setup setup{.algorithm = algorithm, .steps = 8};
  setup.settings = {.lr = 0.07F,
                    .momentum = 0.9F,
                    .weight_decay = 0.02F,
                    .local_rule = LocalRule::kMc,
                    .local_lr = 0.07F,
                    .local_momentum = 0,
                    .warmup_steps = 2};
  return with_variant(setup, variant);
}

double largest_difference(const std::vector<std::vector<float>>& got,
                          const std::vector<std::vector<float>>& want) {
  REQUIRE(got.size() == want.size());
  double largest = 0;
  for (std::size_t t = 0; t < got.size(); ++t) {
    REQUIRE(got[t].size() == want[t].size());
    for (std::size_t i = 0; i < got[t].size(); ++i) {
      const double difference = std::abs(double{got[t][i]} - double{want[t][i]});
      if (!(difference <= largest)) largest = difference;  // also when it is not a number
    }
  }
  return largest;
}

/// Sums without servers run in an order that MPI chooses.
void check_near_over_mpi(const Setup& setup, const Quadratic& problem) {
  const RankTrace got = train_over_mpi(setup, problem);
  Setup by_servers = setup;
  by_servers.servers = 1;
  const Trace want = train(by_servers, problem);
  const auto worker = static_cast<std::size_t>(mpi_world().rank());
  CHECK(largest_difference(got.global, want.global) < 1e-5);
  CHECK(largest_difference(got.local, want.local[worker]) < 1e-5);
}

/// A key that MPI does not send before the receiver has asked for it.
ParameterLayout big_layout() {
  ParameterLayout layout;
  layout.add("weight", {60, 1000}, true);
  layout.add("bias", {10}, false);
  return layout;
}

}  // namespace

TEST_CASE("mpi: the golden rows have the same bits as in-process, on 3 servers and 2 workers") {
  const Quadratic problem = golden_problem();
  for (const GoldenRow& row : golden_rows()) {
    CAPTURE(row.name);
    check_same_over_mpi(with_variant(row.setup, {3, 65536, {}}), problem);
    check_same_over_mpi(with_variant(row.setup, {3, 500, {microseconds(300), 7}}), problem);
  }
}

TEST_CASE(
    "mpi: workers that all differ have the same bits as in-process, dedicated and colocated") {
  for (const std::string algorithm : {"od-sgd", "ssgd"}) {
    CAPTURE(algorithm);
    for (const int servers : {1, 2, kColocated}) {
      CAPTURE(servers);
      const Quadratic problem = random_quadratic(mixed_layout(), 5 - servers, 31);
      check_same_over_mpi(synchronous(algorithm, {servers, 65536, {}}), problem);
      check_same_over_mpi(synchronous(algorithm, {servers, 100, {microseconds(300), 8}}), problem);
    }
  }
}

TEST_CASE("mpi: every synchronous rule has the same bits as in-process, the others end well") {
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.name);
    const Quadratic problem = random_quadratic(mixed_layout(), 3, 38);
    Setup setup = distinct_setup(algorithm.name, 3, 10);
    setup.settings.warmup_steps = 2;
    setup = with_variant(setup, {2, 1000, {microseconds(200), 11}});
    if (algorithm.is_synchronous) {
      check_same_over_mpi(setup, problem);
      continue;
    }
    // The rule throws when the clock at the end is not that of all workers' steps.
    setup.reads_every_step = false;
    const RankTrace trace = train_over_mpi(setup, problem);
    if (mpi_world().rank() < setup.servers) continue;
    REQUIRE(trace.global.size() == 1);
    CHECK(trace.local.size() == setup.steps);
    for (const float w : trace.global[0]) CHECK(std::abs(w) < 10);
  }
}

TEST_CASE("mpi: big messages have the same bits too") {
  const Quadratic problem = random_quadratic(big_layout(), 4, 32);
  check_same_over_mpi(synchronous("od-sgd", {1, 1 << 20, {}}), problem);
  check_same_over_mpi(synchronous("od-sgd", {1, 20000, {}}), problem);
}

TEST_CASE("mpi: without servers the weights are near those by servers, and alike on all ranks") {
  for (const std::string algorithm : {"od-sgd", "ssgd"}) {
    CAPTURE(algorithm);
    for (const ParameterLayout& layout : {mixed_layout(), big_layout()}) {
      const Quadratic problem = random_quadratic(layout, 5, 35);
      check_near_over_mpi(synchronous(algorithm, {kReplicated, 65536, {}}), problem);
      check_near_over_mpi(synchronous(algorithm, {kReplicated, 4000, {microseconds(300), 10}}),
                          problem);
    }
  }
}

TEST_CASE("mpi: asgd gives all workers the same global weights") {
  for (const int servers : {1, kColocated}) {
    CAPTURE(servers);
    const Quadratic problem = random_quadratic(mixed_layout(), 5 - servers, 33);
    const Setup setup = synchronous("asgd", {servers, 1000, {microseconds(300), 9}});
    const RankTrace trace = train_over_mpi(setup, problem);
    if (mpi_world().rank() < servers) continue;
    // The rule itself throws when the clock is not that of all workers' steps.
    CHECK(trace.global.size() == setup.steps + 1);
    CHECK(same_bits(trace.global[0], problem.initial));
  }
}

TEST_CASE("mpi: a training ends although nobody waits for its last pulls") {
  for (const std::string algorithm : {"od-sgd", "ssgd", "asgd"}) {
    for (const int servers : {1, kColocated, kReplicated}) {
      if (servers == kReplicated && algorithm == "asgd") continue;
      CAPTURE(algorithm);
      CAPTURE(servers);
      const Quadratic problem = random_quadratic(big_layout(), 5 - std::max(servers, 0), 34);
      Setup setup = synchronous(algorithm, {servers, 1 << 20, {}});
      setup.reads_every_step = false;
      setup.reads_at_end = false;
      const RankTrace trace = train_over_mpi(setup, problem);
      CHECK(trace.global.empty());
      CHECK(trace.local.size() == (mpi_world().rank() < servers ? 0 : setup.steps));
    }
  }
}
