// main() of a test program under mpirun: `test_NAME RANKS [doctest options]`.
//
// It fails when the world has not RANKS ranks, so that a wrong launch cannot pass. The first
// failure on any rank ends the job: the other ranks would wait for this one.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cstdlib>
#include <exception>

#include "support/mpi_world.hpp"

namespace {

const odsgd::MpiSession* session_of_main = nullptr;

int run_tests(int argc, char** argv, const odsgd::MpiSession& session) {
  const int want = argc > 1 ? std::atoi(argv[1]) : 0;
  if (session.size() != want) {
    fmt::print(stderr, "{}: got a world of {} ranks, want {} (mpirun -np RANKS {} RANKS)\n",
               argv[0], session.size(), want, argv[0]);
    return 2;
  }
  doctest::Context context(argc, argv);
  context.setOption("abort-after", 1);
  context.setOption("no-colors", true);
  context.setOption("minimal", session.rank() > 0);
  return context.run();
}

}  // namespace

const odsgd::MpiSession& odsgd::test::mpi_world() { return *session_of_main; }

int main(int argc, char** argv) {
  try {
    const odsgd::MpiSession session;
    session_of_main = &session;
    const int status = run_tests(argc, argv, session);
    if (status != 0) session.abort(status);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 2;
  }
}
