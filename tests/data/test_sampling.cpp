#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/data/sampling.hpp"

using namespace odsgd;
using odsgd::test::error_text;

namespace {

using Samples = std::vector<std::uint32_t>;

/// The samples of all workers' steps, worker after worker within a step.
Samples epoch_samples(const EpochOrder& order, std::size_t steps, int workers, int batch) {
  Samples all;
  for (std::size_t step = 0; step < steps; ++step) {
    for (int worker = 0; worker < workers; ++worker) {
      const auto samples = order.batch(step, worker, workers, batch);
      CHECK(samples.size() == static_cast<std::size_t>(batch));
      all.insert(all.end(), samples.begin(), samples.end());
    }
  }
  return all;
}

Samples whole_order(std::size_t samples, std::uint64_t seed, std::uint64_t epoch) {
  return epoch_samples(EpochOrder(samples, seed, epoch), samples, 1, 1);
}

}  // namespace

TEST_CASE("an epoch uses every sample once, in an order of its own") {
  Samples sorted = whole_order(1000, 3, 0);
  Samples in_sequence(1000);
  std::iota(in_sequence.begin(), in_sequence.end(), 0U);
  CHECK(sorted != in_sequence);

  std::sort(sorted.begin(), sorted.end());

  CHECK(sorted == in_sequence);
}

TEST_CASE("the order is a function of seed and epoch: each of them changes it, nothing else") {
  const Samples order = whole_order(100, 7, 2);

  CHECK(whole_order(100, 7, 2) == order);
  CHECK(whole_order(100, 8, 2) != order);
  CHECK(whole_order(100, 7, 3) != order);
  CHECK(whole_order(100, 9, 0) != order);  // seed + epoch is not what counts
}

// By a Fisher-Yates loop over SplitMix64, written apart from this project.
TEST_CASE("the order of seed 1 stays what it is: logs of earlier versions can be redone") {
  CHECK(whole_order(10, 1, 0) == Samples{7, 0, 5, 9, 6, 4, 3, 1, 2, 8});
  CHECK(whole_order(10, 1, 1) == Samples{6, 2, 7, 8, 0, 4, 5, 3, 9, 1});
}

TEST_CASE("workers and steps share no sample, and use all that fit") {
  for (const auto& [samples, batch, workers] : {std::tuple{101, 4, 3}, {96, 8, 4}, {17, 1, 5}}) {
    const auto count = static_cast<std::size_t>(samples);
    CAPTURE(count);
    const std::size_t steps = steps_per_epoch(count, batch, workers);

    const Samples all = epoch_samples(EpochOrder(count, 5, 1), steps, workers, batch);

    CHECK(std::set(all.begin(), all.end()).size() == all.size());
    CHECK(count - all.size() < static_cast<std::size_t>(batch * workers));
    CHECK(*std::max_element(all.begin(), all.end()) < count);
  }
}

TEST_CASE("the same global batch holds the same samples, whatever the number of workers") {
  const EpochOrder order(90, 11, 4);

  const Samples alone = epoch_samples(order, 3, 1, 24);

  CHECK(epoch_samples(order, 3, 2, 12) == alone);
  CHECK(epoch_samples(order, 3, 8, 3) == alone);
}

TEST_CASE("what an epoch leaves out is not the same in all epochs") {
  std::set<std::uint32_t> left_out;
  for (std::uint64_t epoch = 0; epoch < 8; ++epoch) {
    left_out.insert(whole_order(9, 1, epoch).back());  // 9 samples, batches of 8
  }

  CHECK(left_out.size() > 1);
}

TEST_CASE("steps of an epoch are whole global batches") {
  CHECK(steps_per_epoch(60000, 64, 4) == 234);  // 234.375
  CHECK(steps_per_epoch(256, 64, 4) == 1);
  CHECK(steps_per_epoch(511, 64, 4) == 1);
  CHECK(steps_per_epoch(7, 1, 1) == 7);
}

TEST_CASE("a global batch beyond the samples names batch, workers and samples") {
  CHECK(error_text([] { steps_per_epoch(255, 64, 4); }) ==
        "--batch-per-worker: got 64, which makes a global batch of 256 with 4 workers, want at "
        "most the 255 training samples");
  CHECK(error_text([] { steps_per_epoch(255, 2147483647, 2147483647); }) ==
        "--batch-per-worker: got 2147483647, which makes a global batch of 4611686014132420609 "
        "with 2147483647 workers, want at most the 255 training samples");
}

TEST_CASE("no workers, no batch and no such worker are errors") {
  CHECK(error_text([] { steps_per_epoch(255, 0, 4); }) ==
        "steps: got a batch of 0 per worker and 4 workers, want at least 1 of each");
  CHECK(error_text([] { steps_per_epoch(255, 64, 0); }) ==
        "steps: got a batch of 64 per worker and 0 workers, want at least 1 of each");
  CHECK(error_text([] { evaluation_range(10, 4, 4); }) == "worker: got 4 of 4, want 0 to 3");
  const EpochOrder order(16, 1, 0);
  CHECK(error_text([&] { order.batch(0, -1, 4, 4); }) == "worker: got -1 of 4, want 0 to 3");
  CHECK(error_text([&] { order.batch(1, 0, 4, 4); }) ==
        "batch: step 1 of worker 0 is past the epoch's end");
}

TEST_CASE("an evaluation takes every sample once, in equal shares, also with more workers") {
  for (std::size_t samples = 0; samples <= 23; ++samples) {
    for (int workers = 1; workers <= 29; ++workers) {
      CAPTURE(samples);
      CAPTURE(workers);
      std::vector<int> uses(samples, 0);
      std::size_t least = samples;
      std::size_t most = 0;
      for (int worker = 0; worker < workers; ++worker) {
        const Range range = evaluation_range(samples, worker, workers);
        REQUIRE(range.begin <= range.end);
        REQUIRE(range.end <= samples);
        for (std::size_t i = range.begin; i < range.end; ++i) ++uses[i];
        least = std::min(least, range.end - range.begin);
        most = std::max(most, range.end - range.begin);
      }
      CHECK(uses == std::vector<int>(samples, 1));
      CHECK(most - least <= 1);
    }
  }
}
