// Two workers without servers, on the ranks of an MPI job: a sum of two has one order only, so all
// bits are those of a training with a server.
#include <doctest/doctest.h>

#include <string>

#include "algorithms/golden.hpp"
#include "support/mpi_world.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;
using std::chrono::microseconds;

namespace {

void check_same_as_by_server(const Setup& setup, const Quadratic& problem) {
  Setup by_server = setup;
  by_server.servers = 1;
  const Trace want = train(by_server, problem);
  const auto endpoint = with_delays(mpi_world().endpoint(), setup.delays);
  const RankTrace got = train_rank(*endpoint, setup, problem);
  const auto& local = want.local[static_cast<std::size_t>(mpi_world().rank())];
  REQUIRE(got.global.size() == want.global.size());
  REQUIRE(got.local.size() == local.size());
  for (std::size_t t = 0; t < got.global.size(); ++t) {
    CAPTURE(t);
    CHECK(same_bits(got.global[t], want.global[t]));
  }
  for (std::size_t t = 0; t < local.size(); ++t) {
    CAPTURE(t);
    CHECK(same_bits(got.local[t], local[t]));
  }
}

}  // namespace

TEST_CASE("allreduce over mpi: the golden rows have the bits of a training with a server") {
  const Quadratic problem = golden_problem();
  for (const GoldenRow& row : golden_rows()) {
    CAPTURE(row.name);
    check_same_as_by_server(with_variant(row.setup, {kReplicated, 65536, {}}), problem);
    check_same_as_by_server(with_variant(row.setup, {kReplicated, 500, {microseconds(300), 7}}),
                            problem);
  }
}

TEST_CASE(
    "allreduce over mpi: a worker that runs ahead gets the weights of the clocks it asks for") {
  ParameterLayout layout;
  for (int key = 0; key < 12; ++key) layout.add("key" + std::to_string(key), {3000}, true);
  const Quadratic problem = random_quadratic(layout, 2, 37);
  for (GoldenRow& row : golden_rows()) {
    CAPTURE(row.name);
    row.setup.steps = 60;
    row.setup.reads_every_step = false;  // the rules themselves throw at any other clock
    check_same_as_by_server(with_variant(row.setup, {kReplicated, 1000, {}}), problem);
  }
}

TEST_CASE("allreduce over mpi: two workers that differ have the bits of a training with a server") {
  ParameterLayout big;
  big.add("weight", {300, 1000}, true);
  big.add("bias", {10}, false);
  for (const ParameterLayout& layout : {mixed_layout(), big}) {
    const Quadratic problem = random_quadratic(layout, 2, 36);
    for (const GoldenRow& row : golden_rows()) {
      CAPTURE(row.name);
      check_same_as_by_server(with_variant(row.setup, {kReplicated, 100'000, {}}), problem);
    }
  }
}
