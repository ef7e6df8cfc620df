#include <doctest/doctest.h>

#include <set>
#include <thread>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/data/batch_stream.hpp"
#include "odsgd/data/sampling.hpp"
#include "small_file.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

Dataset load_samples(std::size_t count) {
  const TemporaryDirectory directory;
  many_samples(count).write(directory.file("small.h5"));
  return Dataset::load(directory.file("small.h5"));
}

using Floats = std::vector<float>;
using Labels = std::vector<std::int32_t>;

Floats floats(const Batch& batch) {
  return {batch.images.data(), batch.images.data() + batch.images.size()};
}

/// The batch of one step without a stream, found by dividing steps into epochs.
Batch serial_batch(const Dataset& data, const BatchPlan& plan, std::size_t step) {
  const std::size_t steps =
      data.train().count / static_cast<std::size_t>(plan.batch_per_worker * plan.workers);
  const EpochOrder order(data.train().count, plan.seed, step / steps);
  Batch batch(data.info(), static_cast<std::size_t>(plan.batch_per_worker));
  fill_batch(data.info(), data.train(),
             order.batch(step % steps, plan.worker, plan.workers, plan.batch_per_worker), batch);
  return batch;
}

}  // namespace

TEST_CASE("a stream yields the serial batches, epoch after epoch, on every worker") {
  const Dataset data = load_samples(301);  // 12 steps an epoch, 13 samples left out
  for (int worker = 0; worker < 3; ++worker) {
    const BatchPlan plan{.worker = worker,
                         .workers = 3,
                         .batch_per_worker = 8,
                         .seed = 5,
                         .first_step = 0,
                         .total_steps = 40};
    BatchStream stream(data, plan);
    for (std::size_t step = 0; step < plan.total_steps; ++step) {
      CAPTURE(step);
      const Batch& batch = stream.next();
      std::this_thread::yield();  // the thread may prepare the next one: not into this one
      const Batch want = serial_batch(data, plan, step);
      CHECK(floats(batch) == floats(want));
      CHECK(batch.labels == want.labels);
      CHECK(batch.count == 8);
    }
  }
}

TEST_CASE("a stream may begin at any step, also in the middle of an epoch") {
  const Dataset data = load_samples(50);
  for (const std::size_t first : {1U, 5U, 6U, 7U, 13U}) {  // 6 steps an epoch
    CAPTURE(first);
    const BatchPlan plan{.worker = 1,
                         .workers = 2,
                         .batch_per_worker = 4,
                         .seed = 2,
                         .first_step = first,
                         .total_steps = 20};
    BatchStream stream(data, plan);
    for (std::size_t step = first; step < plan.total_steps; ++step) {
      CHECK(floats(stream.next()) == floats(serial_batch(data, plan, step)));
    }
  }
}

TEST_CASE("a stream ends after its last step, and says so") {
  const Dataset data = load_samples(20);
  BatchStream stream(data, {.batch_per_worker = 4, .total_steps = 2});
  stream.next();
  stream.next();

  CHECK(error_text([&] { stream.next(); }) == "batches: step 2 is past the last one, 2");
  CHECK(error_text([&] { stream.next(); }) == "batches: step 2 is past the last one, 2");
}

TEST_CASE("two batches serve the whole stream: nothing is allocated for each step") {
  const Dataset data = load_samples(40);
  BatchStream stream(data, {.batch_per_worker = 4, .total_steps = 35});
  std::set<const float*> images;
  std::set<const std::int32_t*> labels;
  for (int step = 0; step < 35; ++step) {
    const Batch& batch = stream.next();
    images.insert(batch.images.data());
    labels.insert(batch.labels.data());
  }

  CHECK(images.size() == 2);
  CHECK(labels.size() == 2);
}

TEST_CASE("a stream is dropped at any moment, with batches unread") {
  const Dataset data = load_samples(40);
  for (int round = 0; round < 50; ++round) {
    for (int taken = 0; taken < 4; ++taken) {
      BatchStream stream(data, {.batch_per_worker = 4, .total_steps = 1000000});
      for (int step = 0; step < taken; ++step) stream.next();
      if (round % 2 == 0) std::this_thread::yield();
    }
  }
  BatchStream without_steps(data, {.batch_per_worker = 4, .total_steps = 0});

  CHECK(error_text([&] { without_steps.next(); }) == "batches: step 0 is past the last one, 0");
}

TEST_CASE("what goes wrong on the thread comes out of next(), every time") {
  const Dataset data = load_samples(40);
  BatchStream stream(data, {.workers = 3, .batch_per_worker = 14, .total_steps = 2});
  const std::string want =
      "--batch-per-worker: got 14, which makes a global batch of 42 with 3 workers, want at most "
      "the 40 training samples";

  CHECK(error_text([&] { stream.next(); }) == want);
  CHECK(error_text([&] { stream.next(); }) == want);
}

TEST_CASE("streams on threads of their own share one data set") {
  const Dataset data = load_samples(64);
  std::vector<Labels> seen(4);
  {
    std::vector<std::jthread> threads;
    threads.reserve(seen.size());
    for (int worker = 0; worker < 4; ++worker) {
      threads.emplace_back([&, worker] {
        BatchStream stream(
            data, {.worker = worker, .workers = 4, .batch_per_worker = 2, .total_steps = 24});
        for (int step = 0; step < 24; ++step) {
          for (const std::int32_t label : stream.next().labels) {
            seen[static_cast<std::size_t>(worker)].push_back(label);
          }
        }
      });
    }
  }

  Labels counts(3);
  for (const Labels& labels : seen) {
    for (const std::int32_t label : labels) ++counts[static_cast<std::size_t>(label)];
  }
  CHECK(counts == Labels{66, 63, 63});  // 3 epochs of 22, 21 and 21
}
