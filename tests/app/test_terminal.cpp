#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "terminal.hpp"

using namespace odsgd;

namespace {

enum class Stdout { kTerminal, kFile };

/// Runs `body` in a process of its own with this stdout; what it returned.
bool in_child(Stdout kind, const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    int out = open("/dev/null", O_WRONLY);
    if (kind == Stdout::kTerminal) {
      const int master = posix_openpt(O_RDWR | O_NOCTTY);
      if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) _exit(2);
      out = open(ptsname(master), O_RDWR | O_NOCTTY);
    }
    if (dup2(out, STDOUT_FILENO) < 0) _exit(2);
    _exit(body() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) <= 1);
  return WEXITSTATUS(status) == 1;
}

bool draws(const std::string& choice, bool under_launcher) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}) {
    if (under_launcher) {
      setenv(name, "1", 1);
    } else {
      unsetenv(name);
    }
  }
  return draws_progress(choice);
}

/// A rank whose own stdout is `own`, started by a launcher whose stdout is `launcher`.
bool draws_under(Stdout launcher, Stdout own) {
  return in_child(launcher, [&] { return in_child(own, [] { return draws("auto", true); }); });
}

}  // namespace

TEST_CASE("progress bar: on and off are obeyed") {
  for (const Stdout kind : {Stdout::kTerminal, Stdout::kFile}) {
    CHECK(in_child(kind, [] { return draws("on", false); }));
    CHECK_FALSE(in_child(kind, [] { return draws("off", false); }));
  }
}

TEST_CASE("progress bar: auto draws on a terminal alone") {
  CHECK(in_child(Stdout::kTerminal, [] { return draws("auto", false); }));
  CHECK_FALSE(in_child(Stdout::kFile, [] { return draws("auto", false); }));
}

TEST_CASE("progress bar: under a launcher auto asks for the launcher's terminal as well") {
  CHECK(draws_under(Stdout::kTerminal, Stdout::kTerminal));
  CHECK_FALSE(draws_under(Stdout::kFile, Stdout::kTerminal));
  CHECK_FALSE(draws_under(Stdout::kTerminal, Stdout::kFile));
}
