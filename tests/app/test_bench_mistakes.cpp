#include <doctest/doctest.h>

#include "app/program.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"

using namespace odsgd::test;

namespace {

/// A command that has to fail with exit code 2 and one line of error.
struct Mistake {
  Words options;  ///< of both benchmarks of the exchange
  std::string want;
};

void check_mistake(const Words& command, const std::string& want) {
  CAPTURE(want);
  const TemporaryDirectory directory;
  const Outcome outcome = run(command, directory.path());

  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  const auto lines = error_lines(outcome.err);
  REQUIRE(lines.size() == 1);
  CHECK(says(lines.front(), want));
}

const std::vector<Mistake>& mistakes_of_ranks() {
  static const std::vector<Mistake> mistakes = {
      {{"--network", "lenot"},
       "network: got 'lenot', want one of: alexnet, vgg16, resnet50, lenet, flat:"},
      {{"--network", "flat:0"}, "network flat:: got 0 floats, want 1 to "},
      {{"--priority", "last"}, "--priority: got last, want one of "},
      {{"--scale", "0.5"}, "--scale: got 0.5, want 1 or more"},
  };
  return mistakes;
}

}  // namespace

TEST_CASE("bench ps, overlap: a mistake is one line and exit code 2, in-process and under mpirun") {
  for (const char* benchmark : {"ps", "overlap"}) {
    for (const Mistake& mistake : mistakes_of_ranks()) {
      const Words words = Words{"bench", benchmark} + mistake.options;
      check_mistake(odsgd_command(words + Words{"--workers", "2"}), mistake.want);
      check_mistake(mpirun(3, odsgd_command(words)), mistake.want);
    }
  }
}

TEST_CASE("bench ps, overlap: without a launcher the number of workers must be given") {
  for (const char* benchmark : {"ps", "overlap"}) {
    check_mistake(odsgd_command({"bench", benchmark, "--network", "lenet"}),
                  "--workers: got nothing, want the number of workers (or start odsgd with mpirun");
  }
}

TEST_CASE("bench ps, overlap: ranks that leave no worker, or other workers than named") {
  for (const char* benchmark : {"ps", "overlap"}) {
    const Words words = {"bench", benchmark, "--network", "lenet"};
    check_mistake(mpirun(3, odsgd_command(words + Words{"--servers", "3"})),
                  "--servers: got 3, want fewer than the 3 ranks of this job");
    check_mistake(mpirun(3, odsgd_command(words + Words{"--workers", "3"})),
                  "--workers: got 3, want 2 (the launcher started 3 ranks, 1 of them servers");
  }
}

TEST_CASE("bench overlap: computing is given as a time or as a ratio, not as both") {
  const Words words = {"bench", "overlap", "--ratio", "1", "--compute-ms", "1"};

  check_mistake(odsgd_command(words + Words{"--workers", "2"}), "--compute-ms excludes --ratio");
  check_mistake(mpirun(3, odsgd_command(words)), "--compute-ms excludes --ratio");
}
