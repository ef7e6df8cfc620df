#include <doctest/doctest.h>

#include <algorithm>

#include "app/bench_report.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"

using namespace odsgd::test;

namespace {

const Words kOverlap = {"bench",   "overlap", "--network",      "lenet", "--json",
                        "--steps", "3",       "--warmup-steps", "1"};
const Words kWays = {"plain ssgd", "ssgd", "asgd", "od-sgd"};

BenchReport report_of(const Words& words) {
  const TemporaryDirectory directory;
  return BenchReport(run(words, directory.path()));
}

BenchReport in_process(const Words& options) {
  return report_of(odsgd_command(kOverlap + options));
}

BenchReport over_mpi(int ranks, const Words& options) {
  return report_of(mpirun(ranks, odsgd_command(kOverlap + options)));
}

/// The rows of every report, of which `modelled` ways are beside the model.
void check_rows(const BenchReport& report, std::size_t workers, const Words& modelled) {
  CHECK(report.names().front() == "exchange alone");
  CHECK(report.median("exchange alone") > 0);
  for (const std::string& way : kWays) {
    CAPTURE(way);
    CHECK(report.unit(way + ": step") == "ms");
    CHECK(report.median(way + ": step") > 0);
    CHECK(report.samples(way + ": step") == workers);
    CHECK(report.unit(way + ": exposed wait") == "ms");
    CHECK(report.median(way + ": hidden share") <= 1);
    CHECK(report.samples(way + ": hidden share") == workers);
    CHECK(report.unit(way + ": progress thread") == "% core");
    CHECK(report.has(way + ": local update") == (way == "od-sgd"));
    const bool is_modelled = std::find(modelled.begin(), modelled.end(), way) != modelled.end();
    CHECK(report.limit(way + ": step") == (is_modelled ? way + ": model" : ""));
    if (way != "od-sgd") {
      const double faster = report.median(way + ": step") / report.median("od-sgd: step");
      CHECK(report.median("od-sgd is faster than " + way) == doctest::Approx(faster));
      CHECK(report.unit("od-sgd is faster than " + way) == "times");
    }
  }
  CHECK(report.fact("computing") ==
        "pretended by sleeping: a benchmark of the exchange, not a training");
}

}  // namespace

TEST_CASE("bench overlap: threads as ranks: every way to train, plain ssgd beside the model") {
  const BenchReport report = in_process({"--workers", "2"});

  check_rows(report, 2, {"plain ssgd"});
  CHECK(report.fact("ranks") == "1 servers + 2 workers");
  for (const std::string& way : kWays) CHECK(report.unit(way + ": server") == "% core");
}

TEST_CASE("bench overlap: ranks under mpirun print one report, all ways beside the model") {
  check_rows(over_mpi(3, {}), 2, kWays);
  check_rows(over_mpi(4, {"--servers", "2"}), 2, kWays);
}

TEST_CASE("bench overlap: colocated ranks have no server of their own, and no model but one") {
  for (const bool is_mpi : {false, true}) {
    CAPTURE(is_mpi);
    const Words colocated = {"--servers", "colocated"};
    const BenchReport report =
        is_mpi ? over_mpi(3, colocated) : in_process(colocated + Words{"--workers", "3"});

    check_rows(report, 3, {"plain ssgd"});
    for (const std::string& way : kWays) CHECK_FALSE(report.has(way + ": server"));
  }
}

TEST_CASE("bench overlap: the ratio sets computing by the exchange alone") {
  const BenchReport report = in_process({"--workers", "2", "--ratio", "0.5"});

  // Nothing hidden: computing of twice the exchange, and the exchange.
  CHECK(report.median("plain ssgd: model") == doctest::Approx(3 * report.median("exchange alone")));
}

TEST_CASE("bench overlap: computing that was given is done by all, longer by the straggler") {
  const BenchReport report = in_process(
      {"--workers", "2", "--compute-ms", "5", "--straggler", "4", "--compute-jitter", "10"});

  CHECK(report.fact("compute") == "5 ms a step, jitter 10 %, last worker 4 times");
  CHECK(report.median("plain ssgd: model") ==
        doctest::Approx(4 * 5 + report.median("exchange alone")));
  for (const char* way : {"plain ssgd", "ssgd", "od-sgd"}) {
    CAPTURE(way);  // synchronous: all go at the pace of the slowest, but for sleeps made up for
    CHECK(report.median(std::string(way) + ": step") > 0.5 * 4 * 5);
  }
}

TEST_CASE("bench overlap: text says that computing is pretended") {
  const TemporaryDirectory directory;
  const Words words = {"bench",     "overlap", "--network",      "lenet", "--steps",    "1",
                       "--workers", "1",       "--warmup-steps", "1",     "--priority", "layer"};

  const Outcome outcome = run(odsgd_command(words), directory.path());

  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(says(outcome.out, "pretended by sleeping: a benchmark of the exchange, not a training\n"));
  for (const std::string& way : kWays) CHECK(says(outcome.out, "\n  " + way + ": step "));
  CHECK_FALSE(says(outcome.out, "accuracy"));
}
