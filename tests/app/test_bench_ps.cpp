#include <doctest/doctest.h>

#include <utility>

#include "app/bench_report.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"

using namespace odsgd::test;

namespace {

const Words kPs = {"bench",          "ps", "--network", "lenet", "--steps",       "3",
                   "--warmup-steps", "1",  "--rounds",  "2",     "--repetitions", "2"};

Outcome run_here(const Words& words) {
  const TemporaryDirectory directory;
  return run(words, directory.path());
}

BenchReport in_process(const Words& options) {
  return BenchReport(run_here(odsgd_command(kPs + Words{"--json"} + options)));
}

BenchReport over_mpi(int ranks, const Words& options) {
  return BenchReport(run_here(mpirun(ranks, odsgd_command(kPs + Words{"--json"} + options))));
}

/// What every report has, and only reports over MPI.
void check_rows(const BenchReport& report, int workers, bool is_mpi) {
  const std::string update = "fused update, " + std::to_string(workers) + " gradients";
  for (const std::string& name :
       Words{"memcpy, 1 thread", "triad, 1 thread", update, "push + pull"}) {
    CAPTURE(name);
    CHECK(report.unit(name) == "GB/s");
    CHECK(report.median(name) > 0);
  }
  CHECK(report.samples("memcpy, 1 thread") == 4);  // rounds x repetitions
  CHECK(report.samples(update) == 4);
  CHECK(report.samples("push + pull") == 6);  // rounds x steps
  CHECK(report.limit(update) == "triad, 1 thread");
  CHECK(says(report.limit("push + pull"), "memcpy, "));
  CHECK(report.unit("step") == "ms");
  CHECK(report.samples("step") == 6);
  CHECK(report.has("MPI ping-pong, one message") == is_mpi);
  if (is_mpi) CHECK(report.samples("MPI ping-pong, one message") == 2);
  CHECK(report.fact("rounds") == "2, each with the limits measured before it");
  CHECK(report.fact("steps") == "3 after 1");
}

/// The rows of one rank.
void check_rank(const BenchReport& report, const std::string& rank, bool is_server, bool is_mpi) {
  CAPTURE(rank);
  CHECK(report.unit(rank + ": progress") == "% core");
  CHECK(report.samples(rank + ": progress") == 2);
  CHECK(report.has(rank + ": updating") == is_server);
  CHECK(report.unit(rank + ": buffers") == "MiB");
  CHECK(report.has(rank + ": peak memory") == is_mpi);
  if (is_mpi) CHECK(report.median(rank + ": peak memory") > 1);
}

}  // namespace

TEST_CASE("bench ps: threads as ranks are measured, beside the limits of the memory") {
  const BenchReport report = in_process({"--workers", "2"});

  check_rows(report, 2, false);
  check_rank(report, "server 0", true, false);
  for (const char* worker : {"worker 0", "worker 1"}) check_rank(report, worker, false, false);
  CHECK(report.fact("transport") == "in-process");
  CHECK(report.fact("ranks") == "1 servers + 2 workers");
  CHECK(report.fact("keys") == "lenet: 8 arrays, 431080 floats");
}

TEST_CASE("bench ps: ranks under mpirun print one report, with the message between them") {
  const BenchReport report = over_mpi(3, {});

  check_rows(report, 2, true);
  check_rank(report, "server 0", true, true);
  for (const char* worker : {"worker 0", "worker 1"}) check_rank(report, worker, false, true);
  CHECK(says(report.fact("transport"), "Open MPI"));
}

TEST_CASE("bench ps: two servers and two workers") {
  const BenchReport report = over_mpi(4, {"--servers", "2"});

  check_rows(report, 2, true);
  for (const char* server : {"server 0", "server 1"}) check_rank(report, server, true, true);
  for (const char* worker : {"worker 0", "worker 1"}) check_rank(report, worker, false, true);
  CHECK(report.fact("ranks") == "2 servers + 2 workers");
}

TEST_CASE("bench ps: colocated ranks are workers that serve, in-process and under mpirun") {
  for (const bool is_mpi : {false, true}) {
    CAPTURE(is_mpi);
    const Words colocated = {"--servers", "colocated"};
    const BenchReport report =
        is_mpi ? over_mpi(3, colocated) : in_process(colocated + Words{"--workers", "3"});

    check_rows(report, 3, is_mpi);
    for (const char* rank : {"worker 0", "worker 1", "worker 2"})
      check_rank(report, rank, false, is_mpi);
    CHECK(report.fact("ranks") == "3 workers, each with a shard");
  }
}

TEST_CASE("bench ps: payload is what all workers push and pull, as it is written on the wire") {
  for (const auto& [dtype, bytes] :
       {std::pair<std::string, double>{"float32", 8}, {"bfloat16", 6}}) {
    CAPTURE(dtype);
    const BenchReport report(run_here(odsgd_command(
        {"bench", "ps", "--json", "--workers", "2", "--network", "flat:1000", "--push-dtype", dtype,
         "--steps", "1", "--warmup-steps", "1", "--rounds", "1", "--repetitions", "1"})));

    const double moved = report.median("push + pull") * 1e9 * report.median("step") * 1e-3;
    CHECK(moved == doctest::Approx(2 * 1000 * bytes));
    CHECK(report.fact("exchange") ==
          "messages of 1024 KiB, pushes as " + dtype + ", server threads 1");
  }
}

TEST_CASE("bench ps: scale divides every array; text has the same rows") {
  const Outcome outcome = run_here(odsgd_command(kPs + Words{"--workers", "1", "--scale", "10"}));

  CHECK(outcome.exit_code == 0);
  CHECK(says(outcome.out, "lenet/10: 8 arrays, 43108 floats\n"));
  for (const char* row : {"memcpy, 1 thread ", "triad, 1 thread ", "fused update, 1 gradients ",
                          "push + pull ", "step ", "server 0: progress ", "worker 0: buffers "})
    CHECK(says(outcome.out, std::string("\n  ") + row));
}
