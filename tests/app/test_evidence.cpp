// What a run's log says about where its time went.
#include <doctest/doctest.h>

#include <cmath>

#include "app/workplace.hpp"
#include "h5/error_text.hpp"
#include "odsgd/h5/file.hpp"
#include "odsgd/record/run_summary.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr int kStepsAnEpoch = 33;
constexpr int kEpochs = 2;

/// Steps of 10 ms: what lies between the parts of a step is far less than 2 % of them.
Words steady(const Words& more, const char* output = "out") {
  return Words{"--data",       "tiny.h5", "--device", "synthetic",
               "--compute-ms", "10",      "--output", output} +
         more;
}

const Words kTwoEpochs{"--epochs", "2", "--batch-per-worker", "8"};

template <class T>
std::vector<T> column(const h5::File& file, const std::string& name) {
  return file.dataset(name).read<T>();
}

double parts_of(const h5::File& file, const std::string& table, std::size_t row) {
  double sum = 0;
  for (const char* part : {"compute", "input", "wait", "local_update", "post"}) {
    sum += column<double>(file, table + "/" + part)[row];
  }
  return sum;
}

/// Checks the log of `workers` workers, the first of which is this rank.
void check_evidence(const std::string& path, int workers, int first_rank, int unmeasured) {
  const h5::File file = h5::File::open_read(path);
  const auto step = column<std::int64_t>(file, "steps/step");
  const auto rank = column<std::int64_t>(file, "steps/rank");
  const auto seconds = column<double>(file, "steps/seconds");
  REQUIRE(step.size() == static_cast<std::size_t>(kEpochs * kStepsAnEpoch * workers));
  double exact = 0;
  double wall = 0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    CHECK(step[i] == static_cast<std::int64_t>(i) / workers + 1);
    CHECK(rank[i] == first_rank + static_cast<std::int64_t>(i) % workers);
    exact += parts_of(file, "steps", i);
    wall += seconds[i];
    const double in_flight = column<double>(file, "steps/in_flight")[i];
    CHECK(in_flight <= seconds[i] * 1.001);
    CHECK(column<double>(file, "steps/push")[i] <= in_flight * 1.001);
    CHECK(column<double>(file, "steps/pull")[i] <= in_flight * 1.001);
  }
  CHECK(exact <= wall * 1.0001);
  CHECK(exact >= wall * 0.98);

  const std::vector<TimingRow> timing = read_run(path).rows.timing;
  int measured = 0;
  for (const TimingRow& row : timing) {
    if (row.role != kWorkerRole) continue;
    const double parts = row.compute + row.input + row.wait + row.local_update + row.post;
    CHECK(parts + row.other == doctest::Approx(row.seconds));
    CHECK(row.other <= row.seconds * 0.02);
    CHECK(row.other >= -1e-6);
    CHECK(row.steps == kStepsAnEpoch);
    measured += static_cast<int>(row.measured_steps);
    CHECK(row.measured_wait <= row.measured_in_flight * 1.001);
    CHECK(row.hidden_share >= 0);
    CHECK(row.hidden_share <= 1);
    CHECK(row.hidden_share ==
          doctest::Approx(1 - row.measured_wait / row.measured_in_flight).epsilon(0.01));
    CHECK(row.progress_cpu > 0);
  }
  CHECK(measured == workers * (kEpochs * kStepsAnEpoch - unmeasured));
}

}  // namespace

TEST_CASE(
    "evidence: a worker's time is told step by step, adds up, and leaves out the first steps") {
  const Workplace place;

  SUBCASE("threads, one server") {
    REQUIRE(place.run(train_in_process(2, steady(kTwoEpochs))).exit_code == 0);
    check_evidence(place.file("out/run.h5"), 2, 1, 10);
  }
  SUBCASE("MPI, two servers, SSGD") {
    REQUIRE(place
                .run(train_over_mpi(
                    4, steady(kTwoEpochs + Words{"--servers", "2", "--algorithm", "ssgd"})))
                .exit_code == 0);
    check_evidence(place.file("out/run.h5"), 2, 2, 10);
  }
  SUBCASE("MPI, colocated, with a warm-up") {
    REQUIRE(place
                .run(train_over_mpi(2, steady(kTwoEpochs + Words{"--servers", "colocated",
                                                                 "--warmup-steps", "20"})))
                .exit_code == 0);
    check_evidence(place.file("out/run.h5"), 2, 0, 20);
  }
}

TEST_CASE("evidence: a run of a few steps has no hidden share, and says so") {
  const Workplace place;

  const Outcome run = place.run(
      train_in_process(2, steady({"--epochs", "1", "--batch-per-worker", "50"})));  // 5 steps

  CHECK(run.exit_code == 0);
  CHECK(says(run.out,
             "  hidden              n/a        n/a        n/a   no steps after warm-up and "));
  CHECK(std::isnan(read_run(place.file("out/run.h5")).result.hidden_share_mean));
}

TEST_CASE("evidence: --log-steps says how many steps are told") {
  const Workplace place;
  REQUIRE(
      place.run(train_in_process(2, steady(kTwoEpochs + Words{"--log-steps", "20"}))).exit_code ==
      0);
  const h5::File file = h5::File::open_read(place.file("out/run.h5"));
  CHECK(column<std::int64_t>(file, "steps/step") ==
        std::vector<std::int64_t>{20, 20, 40, 40, 60, 60});

  REQUIRE(place.run(train_in_process(2, steady(kTwoEpochs + Words{"--log-steps", "0"}, "none")))
              .exit_code == 0);
  const h5::File none = h5::File::open_read(place.file("none/run.h5"));
  CHECK(column<std::int64_t>(none, "steps/step").empty());
  CHECK(column<std::int64_t>(none, "overlap/epoch") == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("evidence: OD-SGD hides more of a step than SSGD does") {
  const Workplace place;
  const auto wait_of = [&](const char* algorithm) {
    const Words more{"--algorithm", algorithm, "--inject-delay-us", "4000"};
    REQUIRE(place.run(train_in_process(2, steady(kTwoEpochs + more, algorithm))).exit_code == 0);
    return read_run(place.file(std::string(algorithm) + "/run.h5")).rows.overlap.at(1).wait.mean;
  };
  // Push and pull take up to 4 ms each: OD-SGD has the whole next step of 10 ms for them.
  CHECK(wait_of("od-sgd") < wait_of("ssgd"));
}
