#include <doctest/doctest.h>

#include "app/workplace.hpp"
#include "h5/error_text.hpp"
#include "odsgd/h5/file.hpp"
#include "odsgd/record/run_summary.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr const char* kNote = "synthetic device: a benchmark of the exchange, not a training";

const Words kBenchmark{"--data",   "tiny.h5",   "--batch-per-worker", "8",
                       "--epochs", "2",         "--output",           "out",
                       "--device", "synthetic", "--compute-ms",       "2"};

}  // namespace

TEST_CASE("synthetic: a run says that it is a benchmark wherever its numbers stand") {
  const Workplace place;

  const Outcome run = place.run(
      train_in_process(2, kBenchmark + Words{"--compute-jitter", "50", "--save-weights", "true"}));

  INFO(run.out);
  CHECK(run.exit_code == 0);
  CHECK(run.err == "");
  CHECK(says(run.out, std::string("  benchmark ") + kNote + "\n  data "));
  CHECK(says(run.out, "synthetic: pretends to compute, 2 ms a step plus or minus up to 50 %\n"));
  CHECK(says(run.out, "epoch 2/2: benchmark; "));
  CHECK(says(run.out, std::string("\nbenchmark      ") + kNote + "\ntime "));
  CHECK(says(run.out, " images/s of the synthetic device, all workers\n"));
  for (const char* word : {"accuracy", "trains", "training time", "loss"}) {
    CAPTURE(word);
    CHECK_FALSE(says(run.out, word));
  }

  const Outcome info = place.run(odsgd_command({"info", "out/run.h5"}));
  CHECK(says(info.out, std::string("run log, finished\n") + kNote + "\n"));
  CHECK(says(info.out, " images/s of the synthetic device, all workers\n"));
  CHECK_FALSE(says(info.out, "accuracy"));
  CHECK(says(place.run(odsgd_command({"info", "out/run.h5", "--json"})).out,
             "\"is_benchmark\": true"));
}

TEST_CASE("synthetic: the log has the exchange, and nothing that could pass for learning") {
  const Workplace place;
  REQUIRE(place.run(train_over_mpi(3, kBenchmark)).exit_code == 0);

  const std::string path = place.file("out/run.h5");
  const RunSummary log = read_run(path);
  const h5::File file = h5::File::open_read(path);
  CHECK(file.attribute_as<std::int64_t>("is_benchmark") == 1);
  CHECK(file.attribute_as<std::string>("note") == kNote);
  CHECK_FALSE(file.has("weights"));
  CHECK(log.status == "finished");
  CHECK(log.rows.eval.empty());
  REQUIRE(log.rows.timing.size() == 6);
  REQUIRE(!log.rows.train.empty());
  for (const TrainRow& row : log.rows.train) {
    CHECK(row.loss == doctest::Approx(2.302585093));
    CHECK(row.accuracy == 0);
  }
  double compute_s = 0;
  for (const TimingRow& row : log.rows.timing) {
    if (row.role != kWorkerRole) continue;
    CHECK(row.bytes_pushed == 33 * 431080 * 4);  // 33 steps an epoch of the whole model
    compute_s += row.compute;
  }
  CHECK(compute_s > 2 * 2 * 33 * 0.00199);  // workers x epochs x steps of 2 ms

  const Outcome eval = place.run(odsgd_command({"eval", "out/run.h5", "--data", "tiny.h5"}));
  CHECK(eval.exit_code == 1);
  CHECK(eval.err == std::string("odsgd: out/run.h5: got a run without weights, want a training (") +
                        kNote + ")\n");
}

TEST_CASE("synthetic: a log of a training says that it is none") {
  const Workplace place;
  const Words train{"--data", "tiny.h5", "--output", "out", "--model", "mlp", "--epochs", "1"};
  REQUIRE(place.run(train_in_process(1, train)).exit_code == 0);

  const h5::File file = h5::File::open_read(place.file("out/run.h5"));

  CHECK(file.attribute_as<std::int64_t>("is_benchmark") == 0);
  CHECK_FALSE(file.has_attribute("note"));
  CHECK_FALSE(read_run(place.file("out/run.h5")).is_benchmark);
}

TEST_CASE("synthetic: its config.toml runs it again") {
  const Workplace place;
  REQUIRE(place.run(train_in_process(2, kBenchmark)).exit_code == 0);

  const Outcome again =
      place.run(odsgd_command({"train", "--config", "out/config.toml", "--output", "again"}));

  CHECK(again.err == "");
  CHECK(read_run(place.file("again/run.h5")).is_benchmark);
}
