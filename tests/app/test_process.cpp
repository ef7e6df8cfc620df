#include <doctest/doctest.h>

#include <csignal>

#include "app/process.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/base/host.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

Outcome run_shell(const std::string& script) {
  const TemporaryDirectory place;
  return run({"bash", "-c", script}, place.path());
}

}  // namespace

TEST_CASE("process: what a program prints on either stream, and its exit code") {
  const Outcome outcome = run_shell("echo a; echo b >&2; exit 3");

  CHECK(outcome.out == "a\n");
  CHECK(outcome.err == "b\n");
  CHECK(outcome.exit_code == 3);
  CHECK(run_shell("kill -9 $$").exit_code == 128 + SIGKILL);
  CHECK(run_shell("pwd; cat").exit_code == 0);  // there is no input to wait for
}

TEST_CASE("process: what a program leaves behind is waited for, and the time is told") {
  const Outcome outcome = run_shell("sleep 0.5 & exit 0");

  CHECK(outcome.exit_code == 0);
  CHECK(outcome.lingered_s > 0.3);
  CHECK(run_shell("true").lingered_s < 0.3);
}

TEST_CASE("process: one that is given up takes all it has started along") {
  const TemporaryDirectory place;
  const double begin_s = now_s();
  {
    Process forever({"bash", "-c", "sleep 1000 & sleep 1000 & echo started; wait"}, place.path());
    forever.wait_for_output("started");
    CHECK(forever.children().size() == 2);
  }
  CHECK(now_s() - begin_s < 20);
}

TEST_CASE("process: waiting for output that never comes ends with the program") {
  const TemporaryDirectory place;
  Process short_lived({"bash", "-c", "echo this"}, place.path());

  CHECK(says(error_text([&] { short_lived.wait_for_output("that"); }), "got no output `that`"));
  CHECK(short_lived.wait().exit_code == 0);
}
