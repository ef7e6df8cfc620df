// The benchmarks of the exchange, as programs: what they print, not how fast it was.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "app/program.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"

using namespace odsgd::test;
using nlohmann::json;

namespace {

const Words kPs{"bench",    "ps", "--network",     "lenet", "--steps", "3", "--warmup-steps", "1",
                "--rounds", "2",  "--repetitions", "1",     "--json"};
const Words kOverlap{"bench",   "overlap", "--network",      "lenet", "--scale", "10",
                     "--steps", "3",       "--warmup-steps", "1",     "--json"};

/// The report's rows by name; every number in them is one, and every limit a row.
std::map<std::string, json> rows_of(const Outcome& outcome) {
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(error_lines(outcome.err).empty());
  const json report = json::parse(outcome.out);
  std::map<std::string, json> rows;
  for (const json& row : report.at("rows")) {
    CAPTURE(row.at("name").get<std::string>());
    CHECK(row.at("median").is_number());
    CHECK(row.at("min").get<double>() <= row.at("max").get<double>());
    if (!row.at("limit").is_null()) CHECK(rows.contains(row.at("limit").at("name")));
    rows[row.at("name")] = row;
  }
  return rows;
}

void check_overlap(const std::map<std::string, json>& rows, bool has_model) {
  for (const char* way : {"plain ssgd", "ssgd", "asgd", "od-sgd"}) {
    CAPTURE(way);
    const std::string name = way;
    CHECK(rows.at(name + ": step").at("unit") == "ms");
    const double hidden = rows.at(name + ": hidden share").at("median");
    CHECK(hidden >= 0);
    CHECK(hidden <= 1);
    CHECK(rows.at(name + ": exposed wait").at("median") >= 0);
    if (has_model) CHECK(rows.at(name + ": step").at("limit").at("name") == name + ": model");
  }
  CHECK(rows.at("od-sgd: local update").at("median") > 0);
  for (const char* slower : {"plain ssgd", "ssgd", "asgd"}) {
    CHECK(rows.contains(std::string("od-sgd is faster than ") + slower));
  }
}

}  // namespace

TEST_CASE("bench ps: between threads, with the limits of the same minutes") {
  const TemporaryDirectory directory;

  const auto rows = rows_of(run(odsgd_command(kPs + Words{"--workers", "2"}), directory.path()));

  CHECK(rows.at("push + pull").at("unit") == "GB/s");
  CHECK(rows.at("push + pull").at("samples").size() == 2 * 3);
  CHECK(says(rows.at("push + pull").at("limit").at("name").get<std::string>(), "memcpy, "));
  CHECK(rows.at("fused update, 2 gradients").at("limit").at("name") == "triad, 1 thread");
  CHECK(rows.at("server 0: updating").at("unit") == "% time");
  CHECK(rows.contains("worker 1: progress"));
  CHECK_FALSE(rows.contains("MPI ping-pong, one message"));
}

TEST_CASE("bench ps: over MPI, dedicated and colocated") {
  const TemporaryDirectory directory;

  const auto two =
      rows_of(run(mpirun(4, odsgd_command(kPs + Words{"--servers", "2"})), directory.path()));
  CHECK(two.contains("MPI ping-pong, one message"));
  CHECK(two.contains("server 1: updating"));
  CHECK(two.at("worker 1: peak memory").at("unit") == "MiB");

  const auto colocated = rows_of(
      run(mpirun(2, odsgd_command(kPs + Words{"--servers", "colocated"})), directory.path()));
  CHECK(colocated.contains("worker 1: progress"));
  CHECK_FALSE(colocated.contains("server 0: updating"));
}

TEST_CASE("bench overlap: every algorithm, in-process and over MPI beside the model") {
  const TemporaryDirectory directory;

  const Outcome threads =
      run(odsgd_command(kOverlap + Words{"--workers", "2", "--compute-ms", "2"}), directory.path());
  check_overlap(rows_of(threads), false);
  CHECK(says(threads.out, "pretended by sleeping: a benchmark of the exchange, not a training"));

  const Outcome processes =
      run(mpirun(3, odsgd_command(kOverlap + Words{"--ratio", "0.5", "--straggler", "2",
                                                   "--compute-jitter", "20"})),
          directory.path());
  const auto rows = rows_of(processes);
  check_overlap(rows, true);
  CHECK(says(processes.out, "jitter 20 %, last worker 2 times"));
}

TEST_CASE("bench: what cannot be is told once, whoever was started") {
  const TemporaryDirectory directory;
  const auto fails = [&](const Words& options, const std::string& want) {
    const Outcome alone = run(odsgd_command(options), directory.path());
    const Outcome ranks = run(mpirun(3, odsgd_command(options)), directory.path());
    for (const Outcome& outcome : {alone, ranks}) {
      INFO(outcome.err);
      CHECK(outcome.exit_code != 0);
      CHECK(outcome.out == "");
      REQUIRE(error_lines(outcome.err).size() == 1);
      CHECK(says(outcome.err, want));
    }
  };

  const Words ps{"bench", "ps"};
  fails(ps + Words{"--network", "alexnex", "--workers", "2"}, "alexnex");
  fails(ps + Words{"--servers", "3", "--workers", "0"}, "--workers: got 0");
  fails(ps + Words{"--priority", "size"}, "--priority: got size");
  fails(Words{"bench", "overlap", "--ratio", "1", "--compute-ms", "2"}, "--ratio");
  const Outcome nobody = run(odsgd_command(ps), directory.path());
  CHECK(nobody.exit_code == 2);
  CHECK(says(nobody.err, "--workers"));
  const Outcome no_worker =
      run(mpirun(2, odsgd_command(ps + Words{"--servers", "2"})), directory.path());
  CHECK(no_worker.exit_code == 2);
  CHECK(says(no_worker.err, "--servers: got 2, want fewer than the 2 ranks"));
}
