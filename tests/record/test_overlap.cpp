#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "odsgd/record/overlap.hpp"
#include "record/sample_run.hpp"

using namespace odsgd;

TEST_CASE("the hidden share is what computing did not wait for") {
  CHECK(hidden_share(0, 4) == 1);
  CHECK(hidden_share(1, 4) == 0.75);
  CHECK(hidden_share(4, 4) == 0);
  CHECK(hidden_share(5, 4) == 0);
  CHECK(std::isnan(hidden_share(0, 0)));
}

TEST_CASE("a spread is over the values that are numbers") {
  const Spread some = spread_of(std::vector<double>{3, NAN, 1, 8});
  CHECK(some.min == 1);
  CHECK(some.mean == 4);
  CHECK(some.max == 8);
  CHECK(std::isnan(spread_of(std::vector<double>{NAN}).min));
  CHECK(std::isnan(spread_of({}).mean));
  CHECK(std::isnan(spread_of({}).max));
}

TEST_CASE("the overlap of an epoch is over its workers, per step; servers do not count") {
  const std::vector<TimingRow> all = test::sample_rows().timing;
  const OverlapRow row = overlap_of(std::span(all).first(3));  // epoch 1: waits of 0.125 and 0.5 s

  CHECK(row.epoch == 1);
  CHECK(row.step.min == doctest::Approx(0.2));
  CHECK(row.step.max == doctest::Approx(0.2));
  CHECK(row.compute.mean == doctest::Approx(0.125));
  CHECK(row.wait.min == doctest::Approx(0.0125));
  CHECK(row.wait.mean == doctest::Approx(0.03125));
  CHECK(row.wait.max == doctest::Approx(0.05));
  CHECK(row.local_update.mean == doctest::Approx(0.0125));
  CHECK(row.push.mean == doctest::Approx(0.05));
  CHECK(row.pull.mean == doctest::Approx(0.075));
  CHECK(row.in_flight.mean == doctest::Approx(0.125));
  CHECK(row.hidden_share.min == 0.5);  // of the measured second
  CHECK(row.hidden_share.mean == 0.6875);
  CHECK(row.hidden_share.max == 0.875);
}

TEST_CASE("the overlap of several epochs is over the workers, each over all of them") {
  const OverlapRow row = overlap_of(test::sample_rows().timing);

  CHECK(row.step.mean == doctest::Approx(0.2));
  CHECK(row.wait.min == doctest::Approx(0.025));  // worker 0: 0.125 + 0.375 s in 20 steps
  CHECK(row.wait.max == doctest::Approx(0.05));
  CHECK(row.hidden_share.max == 0.75);
}

TEST_CASE("the share of a core is that of the busiest rank, over all its epochs") {
  std::vector<TimingRow> rows = test::sample_rows().timing;  // 2 s an epoch, 0.125 s on a core
  rows.at(2).progress_cpu = 0.875;                           // worker 1 in epoch 1

  CHECK(most_of_a_core(rows, kWorkerRole) == 0.25);  // 1 s of 4
  CHECK(most_of_a_core(rows, kServerRole) == 0.03125);
  for (TimingRow& row : rows) {
    if (row.role == kServerRole) row.progress_cpu = 0;  // colocated
  }
  CHECK(std::isnan(most_of_a_core(rows, kServerRole)));
}

TEST_CASE("rows that were too few to be measured have no hidden share") {
  std::vector<TimingRow> rows = test::sample_rows().timing;
  for (TimingRow& row : rows) row.measured_in_flight = 0;

  CHECK(std::isnan(overlap_of(rows).hidden_share.mean));
  CHECK(overlap_of(rows).wait.mean > 0);
}
