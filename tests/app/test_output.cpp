#include <doctest/doctest.h>

#include "app/workplace.hpp"

using namespace odsgd::test;

TEST_CASE("--help and --version: printed once under mpirun, as without it") {
  const Workplace place;
  for (const Words& words : {Words{"--help"}, Words{"--version"}, Words{"train", "--help"}}) {
    const Outcome alone = place.run(odsgd_command(words));
    const Outcome ranks = place.run(mpirun(3, odsgd_command(words)));

    CHECK(alone.exit_code == 0);
    CHECK(alone.out.find("odsgd") != std::string::npos);
    CHECK(ranks.exit_code == 0);
    CHECK(ranks.out == alone.out);
    CHECK(ranks.err == "");
  }
}

TEST_CASE("info: a reader that goes away early is no error to tell of") {
  const Workplace place;
  const std::string info = std::string(ODSGD_PROGRAM) + " info tiny.h5";

  const Outcome outcome = place.run({"bash", "-c", info + " | head -n 1"});

  CHECK(outcome.out == "tiny.h5: data set tiny\n");
  CHECK(outcome.err == "");
}

TEST_CASE("info: output that cannot be written is an error") {
  const Workplace place;
  const std::string info = std::string("exec ") + ODSGD_PROGRAM + " info tiny.h5 > /dev/full";

  const Outcome outcome = place.run({"bash", "-c", info});

  CHECK(outcome.exit_code == 1);
  CHECK(outcome.err == "odsgd: stdout: cannot be written: No space left on device\n");
}

TEST_CASE("train: with a closed stdout nothing that is printed ends in the log") {
  const Workplace place;
  const std::string train = std::string("exec ") + ODSGD_PROGRAM +
                            " train --data tiny.h5 --model mlp --workers 2 --epochs 40"
                            " --output out >&-";

  CHECK(place.run({"bash", "-c", train}).exit_code == 0);

  CHECK(place.run(odsgd_command({"info", "out/run.h5"})).exit_code == 0);
  const std::string log = place.contents().at(place.file("out/run.h5"));
  CHECK(log.find("; test loss") == std::string::npos);
}
