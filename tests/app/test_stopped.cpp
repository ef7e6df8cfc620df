// Processes that are stopped by a signal: alive for the system, and silent for all others.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "app/workplace.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

const Words kOptions{"--data",    "tiny.h5", "--output",           "out",
                     "--model",   "mlp",     "--batch-per-worker", "8",
                     "--timeout", "4"};
const Words kForLong = kOptions + Words{"--epochs", "1000000"};

/// Stops a rank of a running job, and checks that the others name it in all that they print.
void check_is_named(int ranks, const Words& layout, int stopped, const std::string& name) {
  CAPTURE(name);
  const Workplace place;
  Process training(train_over_mpi(ranks, kForLong + layout), place.path());
  training.wait_for_output("epoch 2/");

  kill(process_of_rank(training, stopped), SIGSTOP);
  const Outcome outcome = training.wait();  // throws when any process is left

  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  const auto lines = error_lines(outcome.err);
  CHECK(!lines.empty());
  for (const std::string& line : lines) {
    CHECK(line.starts_with("odsgd: rank "));
    CHECK(line.find(": " + name + ": got no message for 3") != std::string::npos);
    CHECK(line.find("--timeout is 4); pending from there: ") != std::string::npos);
  }
}

}  // namespace

TEST_CASE("stopped: a worker that is stopped is named by the servers within the time limit") {
  check_is_named(3, {}, 1, "rank 1 (worker 0)");
  check_is_named(5, {"--servers", "2"}, 3, "rank 3 (worker 1)");
}

TEST_CASE("stopped: a server that is stopped is named by the workers within the time limit") {
  check_is_named(3, {}, 0, "rank 0 (server 0)");
  check_is_named(5, {"--servers", "2"}, 1, "rank 1 (server 1)");
}

TEST_CASE("stopped: a rank that is both is named by the others") {
  check_is_named(3, {"--servers", "colocated"}, 2, "rank 2 (worker 2)");
}

TEST_CASE("stopped: without servers a rank is named by the others") {
  check_is_named(3, {"--exchange", "allreduce"}, 1, "rank 1 (worker 1)");
}

TEST_CASE("stopped: a job that is stopped as a whole for longer than the limit goes on") {
  const Workplace place;
  Process training(train_over_mpi(3, kOptions + Words{"--epochs", "300"}), place.path());
  training.wait_for_output("epoch 2/");
  std::vector<pid_t> ranks;
  for (const int rank : {0, 1, 2}) ranks.push_back(process_of_rank(training, rank));

  for (const pid_t rank : ranks) kill(rank, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(5));
  for (const pid_t rank : ranks) kill(rank, SIGCONT);
  const Outcome outcome = training.wait();

  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("stopped: a step that takes longer than the time limit is no silence") {
  const Words options{"--data",       "tiny.h5",   "--output",           "out",
                      "--model",      "mlp",       "--epochs",           "1",
                      "--device",     "synthetic", "--timeout",          "2",
                      "--compute-ms", "3000",      "--batch-per-worker", "265"};
  for (const Words& command : {train_over_mpi(2, options), train_in_process(1, options)}) {
    const Workplace place;
    const Outcome outcome = place.run(command);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
  }
}
