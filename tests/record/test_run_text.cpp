#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/record/run_summary.hpp"
#include "record/sample_run.hpp"

using namespace odsgd;
using odsgd::test::says;

namespace {

RunSummary sample_run() {
  const RunDescription description = test::sample_description();
  RunSummary run;
  run.path = "out/run.h5";
  run.status = "finished";
  run.command_line = description.command_line;
  run.config = description.config;
  run.environment = description.environment;
  run.rows = test::sample_rows();
  run.result = result_of(run.rows);
  run.weights = {{"fc_weight", {10, 500}}};
  run.weights_clock = 20;
  return run;
}

const std::string kTimes =
    "ms a step             min       mean        max   of 2 workers\n"
    "  step            200.000    200.000    200.000\n"
    "  compute         125.000    125.000    125.000\n"
    "  exposed wait     25.000     37.500     50.000\n"
    "  local update     12.500     12.500     12.500\n"
    "  push             50.000     50.000     50.000\n"
    "  pull             75.000     75.000     75.000\n"
    "  communication   125.000    125.000    125.000\n"
    "  hidden           50.0 %     62.5 %     75.0 %   of communication, without the first "
    "steps\n"
    "messages       6.2 % of a core for a worker's progress thread, 3.1 % for a server\n";

}  // namespace

TEST_CASE("the end of a run is a short table") {
  CHECK(end_of_run_text(sample_run()) ==
        "test accuracy  90.00 % (top-5 95.00 %), loss 0.5000\n"
        "training time  4 s (20 steps, 160 images, without evaluations)\n"
        "speed          40 images/s, all workers\n"
        "peak memory    103.0 MiB (largest rank)\n" +
            kTimes +
            "log            out/run.h5\n"
            "look into it   odsgd info out/run.h5   (--json for scripts), h5dump -n out/run.h5\n");
}

TEST_CASE("the end of a benchmark says that it is one, and nothing of accuracy") {
  RunSummary run = sample_run();
  run.is_benchmark = true;

  CHECK(end_of_run_text(run) ==
        "benchmark      synthetic device: a benchmark of the exchange, not a training\n"
        "time           4 s (20 steps, 160 images)\n"
        "speed          40 images/s of the synthetic device, all workers\n"
        "peak memory    103.0 MiB (largest rank)\n" +
            kTimes +
            "log            out/run.h5\n"
            "look into it   odsgd info out/run.h5   (--json for scripts), h5dump -n out/run.h5\n");
  CHECK(says(to_text(run),
             "out/run.h5: run log, finished\n"
             "synthetic device: a benchmark of the exchange, not a training\n"));
}

TEST_CASE("a path with blanks is quoted for the shell") {
  RunSummary run = sample_run();
  run.path = "my run's/run.h5";

  CHECK(says(end_of_run_text(run), "odsgd info 'my run'\\''s/run.h5' "));
}

TEST_CASE("a run for people shows every part") {
  const std::string text = to_text(sample_run());

  CHECK(says(text, "out/run.h5: run log, finished\n"));
  CHECK(says(text, "  model     lenet\n"));
  CHECK(says(text, "  progress  false\n"));
  CHECK(says(text, "  hosts  n1, n1, n2\n"));
  CHECK(says(text, "      2        20    0.5000   90.00 %   95.00 %       100\n"));
  CHECK(says(text,
             "     1 worker 0       4.00     2.50     0.12     0.50     0.25     0.62    75.0 %    "
             " 2.0 MiB"
             "     4.0 MiB   102.0 MiB\n"));
  CHECK(says(text,
             "     0 server 0       4.00     1.00     0.00     0.00     0.00     3.00         -    "
             " 8.0 MiB"
             "     4.0 MiB    50.0 MiB\n"));
  CHECK(says(text, "      1           76   95.00 %\n"));
  CHECK(says(text, "weights of clock 20\n  fc_weight (10, 500)\n"));
  CHECK(says(text, "test accuracy  90.00 %"));
}

TEST_CASE("a run that has just begun has a text without tables") {
  const RunSummary run{.path = "run.h5", .status = "running", .result = result_of({})};
  const std::string text = to_text(run);

  CHECK(
      says(text, "run.h5: run log, running\n(still running, or killed before it could say so)\n"));
  CHECK(
      says(text,
           "  hidden              n/a        n/a        n/a   no steps after warm-up and the run's "
           "first ones\n"));
  CHECK_FALSE(says(text, "staleness"));
}
