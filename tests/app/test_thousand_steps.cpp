#include <doctest/doctest.h>

#include <utility>

#include "app/program.hpp"
#include "app/run_difference.hpp"
#include "app/tiny_data.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/record/run_summary.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// Runs to the end and returns the path of the log; the output directory is `name`.
std::string log_of(const TemporaryDirectory& directory, const std::string& name,
                   const Words& command) {
  const Outcome outcome = run(command + Words{"--output", name}, directory.path());
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return directory.file(name + "/run.h5");
}

}  // namespace

TEST_CASE("train: 1,000 steps over MPI with random delays give the bits of threads without") {
  const TemporaryDirectory directory;
  write_tiny_data(directory.file("tiny.h5"));
  for (const std::string algorithm : {"od-sgd", "ssgd"}) {
    for (const auto& [servers, workers] : {std::pair{1, 2}, std::pair{2, 3}}) {
      CAPTURE(algorithm);
      CAPTURE(servers);
      const Words options{"--data", "tiny.h5", "--model", "mlp", "--algorithm", algorithm,
                          "--servers", std::to_string(servers), "--epochs", "100",
                          // 10 steps an epoch, of 52 or 51 images
                          "--batch-per-worker", workers == 2 ? "26" : "17"};
      const Words late{"--inject-delay-us", "500", "--message-kib", "32"};
      const std::string name = algorithm + std::to_string(servers);

      const std::string want = log_of(directory, name, train_in_process(workers, options));
      const std::string got =
          log_of(directory, name + "-mpi", train_over_mpi(servers + workers, options + late));

      CHECK(read_run(got).rows.eval.back().step == 1000);
      CHECK(training_differences(got, want) == "");
    }
  }
}
