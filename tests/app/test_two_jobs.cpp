#include <doctest/doctest.h>
#include <fmt/format.h>

#include "app/program.hpp"
#include "app/run_difference.hpp"
#include "app/tiny_data.hpp"
#include "h5/temporary_directory.hpp"

using namespace odsgd;
using namespace odsgd::test;

TEST_CASE("jobs: two at once on one machine give the bits that each gives alone") {
  const TemporaryDirectory directory;
  write_tiny_data(directory.file("tiny.h5"));
  const auto job = [](const std::string& algorithm, const std::string& output) {
    return train_over_mpi(3, {"--data", "tiny.h5", "--model", "mlp", "--algorithm", algorithm,
                              "--epochs", "30", "--batch-per-worker", "8", "--output", output});
  };
  for (const char* algorithm : {"od-sgd", "ssgd"}) {
    REQUIRE(run(job(algorithm, fmt::format("{}-alone", algorithm)), directory.path()).exit_code ==
            0);
  }

  const std::string both = fmt::format("{} & one=$!; {} & two=$!; wait $one && wait $two",
                                       fmt::join(job("od-sgd", "od-sgd-beside"), " "),
                                       fmt::join(job("ssgd", "ssgd-beside"), " "));
  const Outcome outcome = run({"bash", "-c", both}, directory.path());

  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  for (const char* algorithm : {"od-sgd", "ssgd"}) {
    CAPTURE(algorithm);
    const auto log = [&](const char* how) {
      return directory.file(fmt::format("{}-{}/run.h5", algorithm, how));
    };
    CHECK(training_differences(log("beside"), log("alone")) == "");
  }
}
