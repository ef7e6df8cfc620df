#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "app/bad_inputs.hpp"
#include "app/workplace.hpp"

using namespace odsgd::test;

namespace {

/// The one line of an error, without its end; what was printed when it is not one line.
std::string only_line(const std::string& text) {
  const bool is_one = std::count(text.begin(), text.end(), '\n') == 1 && text.ends_with('\n') &&
                      text.starts_with("odsgd: ");
  return is_one ? text.substr(0, text.size() - 1) : "not one line: " + text;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs `command`, which has to fail as said, in one line that holds `want`; returns the line.
std::string check_fails(const Workplace& place, const Words& command, int exit_code,
                        const std::string& want) {
  const auto before = place.contents();
  const Outcome outcome = place.run(command);
  const auto lines = error_lines(outcome.err);
  INFO(fmt::format("{}", fmt::join(command, " ")));
  INFO(outcome.err);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.out == "");
  CHECK(lines.size() == 1);
  CHECK(holds(outcome.err, want));
  CHECK(place.contents() == before);
  return lines.empty() ? "" : lines[0];
}

/// In-process nothing but the one line is printed.
std::string check_fails_alone(const Workplace& place, const Words& command, int exit_code,
                              const std::string& want) {
  const std::string line = check_fails(place, command, exit_code, want);
  const Outcome again = place.run(command);
  CHECK(only_line(again.err) == line);
  return line;
}

constexpr int kRanks = 3;
constexpr int kWorkers = 2;

}  // namespace

TEST_CASE("bad input, in-process: one line that names it, a code that is not 0, nothing written") {
  const Workplace place;
  for (const auto& commands : {bad_commands(), bad_samples()}) {
    for (const BadCommand& bad : commands) {
      check_fails_alone(place, train_in_process(kWorkers, bad.options()), bad.exit_code, bad.want);
    }
  }
}

TEST_CASE("bad input, under mpirun: the same one line as in-process") {
  const Workplace place;
  for (const BadCommand& bad : bad_commands()) {
    // One of each kind: in-process has them all.
    const bool is_tried = bad.fault[0] == "--data"
                              ? holds(bad.fault[1], "missing") || holds(bad.fault[1], "small")
                              : bad.fault[0] == "--nonsense" || bad.fault[0] == "--output" ||
                                    bad.fault[0] == "--epochs" || bad.want[0] == 'u';
    if (!is_tried) continue;
    const Outcome alone = place.run(train_in_process(kWorkers, bad.options()));

    const std::string line =
        check_fails(place, train_over_mpi(kRanks, bad.options()), bad.exit_code, bad.want);

    // What not all ranks look at, such as --output, begins with the rank that does.
    CHECK(line.ends_with(only_line(alone.err).substr(std::string("odsgd: ").size())));
  }
}

TEST_CASE("bad samples, under mpirun: the line names a rank that has seen them") {
  const Workplace place;
  for (const BadCommand& bad : bad_samples()) {
    const std::string line =
        check_fails(place, train_over_mpi(kRanks, bad.options()), bad.exit_code, bad.want);

    CHECK(line.starts_with("odsgd: rank 1 (worker 0) and 1 more on "));
  }
}

TEST_CASE("ranks: too few for the servers, or other workers than asked for") {
  const Workplace place;
  const Words options{"--data", "tiny.h5", "--output", "out"};

  check_fails(place, train_over_mpi(1, options), 2,
              "--servers: got 1, want fewer than the 1 rank of this job");
  check_fails(place, train_over_mpi(3, options + Words{"--servers", "3"}), 2,
              "--servers: got 3, want fewer than the 3 ranks of this job");
  check_fails(place, train_over_mpi(3, options + Words{"--workers", "3"}), 2,
              "--workers: got 3, want 2 (the launcher started 3 ranks, 1 of them servers");
  check_fails_alone(place, odsgd_command(Words{"train"} + options), 2,
                    "--workers: got nothing, want the number of workers");
  check_fails_alone(place, odsgd_command({"train", "--output", "out", "--workers", "2"}), 2,
                    "--data is required");
}

TEST_CASE("exchange: what needs servers does not go without them") {
  const Workplace place;
  const Words options{"--data", "tiny.h5", "--output", "out", "--exchange", "allreduce"};

  check_fails(place, train_over_mpi(2, options + Words{"--servers", "2"}), 2,
              "--servers: got 2, want none, as every rank is a worker, with --exchange allreduce");
  check_fails(place, train_over_mpi(2, options + Words{"--workers", "3"}), 2,
              "--workers: got 3, want 2 (the launcher started 2 ranks, all of them workers with");
  check_fails_alone(place, train_in_process(2, options + Words{"--servers", "colocated"}), 2,
                    "--servers: got colocated, want none");
  check_fails_alone(
      place, train_in_process(2, options + Words{"--algorithm", "asgd"}), 2,
      "--algorithm: got asgd, want one that sums exact gradients of all workers (ssgd, od-");
  check_fails_alone(place, train_in_process(2, options + Words{"--algorithm", "cd-sgd"}), 2,
                    "--algorithm: got cd-sgd, want one that sums exact gradients");
  check_fails_alone(place, train_in_process(2, options + Words{"--push-dtype", "bfloat16"}), 2,
                    "--push-dtype: got bfloat16, want float32 with --exchange allreduce");
  check_fails_alone(place, odsgd_command(Words{"train"} + options), 2,
                    "--workers: got nothing, want the number of workers");
}

TEST_CASE("command: none, an unknown one, and wrong arguments of the others") {
  const Workplace place;
  check_fails_alone(place, odsgd_command({}), 2,
                    "command: got nothing, want train, eval, info or bench");
  check_fails_alone(place, odsgd_command({"trian"}), 2, "command: got trian, want train");
  check_fails(place, mpirun(kRanks, odsgd_command({"trian"})), 2, "command: got trian");
  check_fails_alone(place, odsgd_command({"info"}), 2,
                    "file: got nothing, want a data file, a run.h5, or --trace DIR");
  check_fails_alone(place, odsgd_command({"info", "missing.h5"}), 1, "missing.h5: cannot open");
  check_fails(place, mpirun(kRanks, odsgd_command({"info", "missing.h5"})), 1,
              "missing.h5: cannot open");
  check_fails_alone(place, odsgd_command({"info", "web-page.h5"}), 1, "is not an HDF5 file");
  check_fails_alone(place, odsgd_command({"eval", "tiny.h5", "--data", "tiny.h5"}), 1,
                    "tiny.h5: is not a run log");
  check_fails_alone(place, odsgd_command({"eval", "missing.h5", "--data", "tiny.h5"}), 1,
                    "missing.h5: cannot open");
  check_fails_alone(place, odsgd_command({"eval", "tiny.h5"}), 2, "--data is required");
  check_fails_alone(
      place, odsgd_command({"eval", "tiny.h5", "--data", "tiny.h5", "--device", "synthetic"}), 2,
      "--device: got synthetic, want a device that computes");
}

TEST_CASE("ranks that differ: the line names the option and both values, or who lacks the data") {
  const Workplace place;
  const Words options{"train", "--data", "tiny.h5", "--output", "out"};
  const auto beside = [&](int others, const Words& command) {
    return mpirun(1, odsgd_command(options)) + Words{":"} + Words{"-np", std::to_string(others)} +
           command;
  };

  check_fails(place, beside(2, odsgd_command(options + Words{"--lr", "0.1"})), 1,
              "rank 1 (worker 0) and 1 more on ");
  check_fails(place, beside(1, odsgd_command(options + Words{"--lr", "0.1"})), 1,
              "options: got lr = 0.1, want lr = 0.05 as on rank 0");
  check_fails(place, beside(1, odsgd_command(options + Words{"--nonsense"})), 2,
              "--nonsense: is no option");
  const std::string elsewhere =
      fmt::format("cd exists && exec {}", fmt::join(odsgd_command(options), " "));
  const std::string line =
      check_fails(place, beside(1, {"bash", "-c", elsewhere}), 1, "tiny.h5: cannot open");
  CHECK(line.starts_with("odsgd: rank 1 (worker 0) on "));
}
