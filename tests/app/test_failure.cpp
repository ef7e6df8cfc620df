#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "app/workplace.hpp"
#include "odsgd/h5/file.hpp"
#include "odsgd/record/run_summary.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

const Words kOptions{"--data", "tiny.h5", "--output", "out", "--batch-per-worker", "8"};
const Words kForLong = kOptions + Words{"--epochs", "1000000", "--log-every", "5"};

/// A command in a shell that limits itself first.
Words limited(const std::string& limits, const Words& command) {
  return {"bash", "-c", fmt::format("{}; exec {}", limits, fmt::join(command, " "))};
}

const std::string kSmallFiles = "trap '' XFSZ; ulimit -f 40";  // KiB

std::string status_of_log(const Workplace& place) {
  return read_run(place.file("out/run.h5")).status;
}

/// Two epochs of 33 steps of two workers are there, and columns differ by one interval at most.
void check_steps(const Workplace& place) {
  const h5::File file = h5::File::open_read(place.file("out/run.h5"));
  std::vector<std::uint64_t> rows;
  for (const std::string& name : file.group("steps").names()) {
    rows.push_back(file.dataset("steps/" + name).rows());
  }
  REQUIRE(rows.size() == 11);
  const auto [shortest, longest] = std::minmax_element(rows.begin(), rows.end());
  CHECK(*shortest >= 2 * 33 * 2);
  CHECK(*longest - *shortest <= 5 * 2);
}

}  // namespace

TEST_CASE("failure: a rank killed during training ends all within 10 s, and the log can be read") {
  for (const int rank : {0, 1, 2}) {  // server, worker 0, worker 1
    CAPTURE(rank);
    const Workplace place;
    Process training(train_over_mpi(3, kForLong), place.path());
    training.wait_for_output("epoch 2/");

    kill(process_of_rank(training, rank), SIGKILL);

    CHECK(training.wait().exit_code != 0);
    CHECK(status_of_log(place) == "running");
    CHECK(read_run(place.file("out/run.h5")).rows.eval.size() >= 2);
    check_steps(place);
  }
}

TEST_CASE("failure: SIGTERM to mpirun ends all ranks, and the log can be read") {
  const Workplace place;
  Process training(train_over_mpi(3, kForLong), place.path());
  training.wait_for_output("epoch 2/");

  kill(training.pid(), SIGTERM);

  CHECK(training.wait().exit_code != 0);
  CHECK(read_run(place.file("out/run.h5")).rows.eval.size() >= 2);
}

TEST_CASE("failure: a full disk during training is one line that names the file") {
  const Workplace place;

  const Outcome alone = place.run(limited(kSmallFiles, train_in_process(2, kForLong)));

  CHECK(alone.exit_code == 1);
  CHECK(alone.err.starts_with("odsgd: rank 1 (worker 0) on "));
  CHECK(alone.err.find("out/run.h5: ") != std::string::npos);
  CHECK(alone.err.ends_with("File too large\n"));
  CHECK(std::count(alone.err.begin(), alone.err.end(), '\n') == 1);
}

TEST_CASE("failure: on a full disk the log keeps what it has, says why it ends, and can be read") {
  const Workplace place;
  const Words train = train_in_process(2, {"--data", "tiny.h5", "--batch-per-worker", "8",
                                           "--epochs", "20", "--output", "exists/out"});
  const Words info = odsgd_command({"info", "--json", "exists/out/run.h5"});
  // The mount is seen by this shell alone, and goes with it.
  const std::string script =
      fmt::format("mount -t tmpfs -o size=512k none exists || exit 77; {} >&2; {}",
                  fmt::join(train, " "), fmt::join(info, " "));

  const Outcome outcome =
      place.run({"unshare", "--map-root-user", "--mount", "bash", "-c", script});
  if (outcome.exit_code == 77 || outcome.err.starts_with("unshare:")) return;  // not allowed here

  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  REQUIRE(error_lines(outcome.err).size() == 1);
  CHECK(error_lines(outcome.err)[0].ends_with("No space left on device"));
  const auto log = nlohmann::json::parse(outcome.out);
  CHECK(log.at("status").get<std::string>().starts_with("failed: exists/out/run.h5: "));
  CHECK(log.at("eval").at("epoch").size() >= 1);
}

TEST_CASE("failure: an exception on one rank of several ends all, in one line of that rank") {
  const Workplace place;
  // Shared memory segments are files too, so this job does without them.
  const Words tcp{"--mca", "btl", "tcp,self"};
  const Words rank = odsgd_command(Words{"train"} + kForLong);
  Words command{ODSGD_MPIEXEC};
  command = command + tcp + Words{"-np", "1"} + rank + Words{":", "-np", "1"} +
            limited(kSmallFiles, rank) + Words{":", "-np", "1"} + rank;

  const Outcome outcome = place.run(command);

  INFO(outcome.err);
  const auto lines = error_lines(outcome.err);
  CHECK(outcome.exit_code == 1);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("odsgd: rank 1 (worker 0) on "));
  CHECK(lines[0].find("out/run.h5: ") != std::string::npos);
}

TEST_CASE("failure: no space for the log leaves no output directory") {
  const Workplace place;
  for (const char* limit : {"trap '' XFSZ; ulimit -f 0", "trap '' XFSZ; ulimit -f 2"}) {
    // Through a pipe, since the limit is on the file of stderr too.
    const Words command = limited(limit, train_in_process(2, kOptions));
    const Outcome outcome =
        place.run({"bash", "-c", fmt::format("({}) 2>&1 >/dev/null | cat >&2", command[2])});

    INFO(outcome.err);
    CHECK(error_lines(outcome.err).size() == 1);
    CHECK(outcome.err.find("out/") != std::string::npos);
    CHECK_FALSE(place.has("out"));
  }
}

// Sanitizers take more address space than the limit leaves.
TEST_CASE("failure: more ranks than the system has threads for is one line, and ends at once" *
          doctest::skip(ODSGD_IS_SANITIZED)) {
  const Workplace place;
  const Words options{"--data", "tiny.h5", "--output", "out", "--batch-per-worker", "1"};

  const Outcome outcome =
      place.run(limited("ulimit -v 1500000", train_in_process(400, options)));  // KiB

  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(error_lines(outcome.err).size() == 1);
  CHECK(outcome.err.find("threads: the system starts no more") != std::string::npos);
  CHECK_FALSE(place.has("out"));
}
