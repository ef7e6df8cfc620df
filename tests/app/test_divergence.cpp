#include <doctest/doctest.h>
#include <fmt/format.h>

#include <regex>

#include "app/workplace.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "odsgd/record/run_summary.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

const Words kOptions{"--data", "tiny.h5", "--output", "out", "--batch-per-worker", "8"};

/// The program ended with one line of worker 0, which says that training diverged at which step,
/// in whose loss or gradient or in which weights; and the log says the same.
void check_divergence(const Workplace& place, const Outcome& outcome) {
  // A loss has no key: it is what a worker sees before it has gradients.
  static const std::regex wanted(
      "odsgd: rank [01] \\(worker 0\\) on [^ :]+: (step [1-9][0-9]*: "
      "(loss of|gradient of [a-z0-9]+_(weight|bias) from|weights of [a-z0-9]+_(weight|bias) on) "
      "rank [0-9]+ \\((worker|server) [0-9]+\\): got (nan|inf), want finite numbers "
      "\\(training diverged; try a smaller --lr\\))");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  const auto lines = error_lines(outcome.err);
  REQUIRE(lines.size() == 1);
  std::smatch parts;
  REQUIRE(std::regex_match(lines[0], parts, wanted));
  CHECK(read_run(place.file("out/run.h5")).status == "failed: " + parts[1].str());
}

}  // namespace

TEST_CASE(
    "divergence: each rule stops, in one line with step, rank and key, and the log says why") {
  for (const std::string& algorithm : algorithm_names()) {
    CAPTURE(algorithm);
    const Workplace place;

    const Outcome outcome =
        place.run(train_in_process(3, kOptions + Words{"--algorithm", algorithm, "--lr", "100"}));

    check_divergence(place, outcome);
  }
}

TEST_CASE("divergence: a run without servers stops in the same way") {
  const Workplace place;

  const Outcome outcome =
      place.run(train_in_process(3, kOptions + Words{"--exchange", "allreduce", "--lr", "100"}));

  check_divergence(place, outcome);
}

TEST_CASE("divergence: runs over MPI stop in the same way") {
  for (const std::string algorithm : {"od-sgd", "asgd", "local-sgd"}) {
    CAPTURE(algorithm);
    const Workplace place;

    const Outcome outcome =
        place.run(train_over_mpi(4, kOptions + Words{"--algorithm", algorithm, "--lr", "100"}));

    check_divergence(place, outcome);
  }
}

TEST_CASE("divergence: a training that ends no better than a guess fails, and keeps its weights") {
  // Such a decay leaves nothing of the weights and keeps them finite: the network names one class.
  const Words dead{"--lr", "0.05", "--momentum", "0", "--weight-decay", "20", "--epochs", "7"};
  for (const std::string algorithm : {"ssgd", "asgd", "od-sgd"}) {
    CAPTURE(algorithm);
    const Workplace place;

    const Outcome outcome =
        place.run(train_in_process(2, kOptions + dead + Words{"--algorithm", algorithm}));

    INFO(outcome.err);
    CHECK(outcome.exit_code == 1);
    const auto lines = error_lines(outcome.err);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find(": test accuracy: got ") != std::string::npos);
    const RunSummary log = read_run(place.file("out/run.h5"));
    // 33 steps an epoch; 11 of the 103 test images are of each of the most frequent classes.
    CHECK(log.status.starts_with("failed: test accuracy: got "));
    CHECK(log.status.find(" % after 231 steps, want more than the 10.68 % of always naming the "
                          "most frequent class") != std::string::npos);
    CHECK(log.rows.eval.size() == 7);
    CHECK(log.weights.size() == 8);  // LeNet's arrays
    CHECK(log.weights_clock == 231);
  }
}

TEST_CASE("divergence: too few steps to learn anything are no failure") {
  const Workplace place;

  const Outcome outcome = place.run(train_in_process(
      2, kOptions + Words{"--lr", "0.05", "--weight-decay", "20", "--epochs", "6"}));

  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(read_run(place.file("out/run.h5")).status == "finished");
}
