#include <doctest/doctest.h>

#include <cmath>

#include "odsgd/record/run_result.hpp"
#include "record/sample_run.hpp"

using namespace odsgd;

TEST_CASE("a result holds the last rows, the speed over all, and shares over the workers") {
  const RunResult result = result_of(test::sample_rows());

  CHECK(result.steps == 20);
  CHECK(result.samples == 160);
  CHECK(result.train_seconds == 4);
  CHECK(result.images_per_s == 40);
  CHECK(result.test_loss == 0.5);
  CHECK(result.test_top1 == doctest::Approx(0.9));
  CHECK(result.test_top5 == doctest::Approx(0.95));
  // Worker 0 waited 0.125 and 0.375 s of 1 s each, worker 1 twice 0.5 s of 1 s.
  CHECK(result.hidden_share_min == 0.5);
  CHECK(result.hidden_share_mean == 0.625);
  CHECK(result.hidden_share_max == 0.75);
  CHECK(result.peak_memory_bytes == 103 * 1048576);
}

TEST_CASE("what there is no row for is not a number") {
  const RunResult result = result_of({});

  CHECK(result.steps == 0);
  CHECK(std::isnan(result.images_per_s));
  CHECK(std::isnan(result.test_top1));
  CHECK(std::isnan(result.hidden_share_mean));
}
