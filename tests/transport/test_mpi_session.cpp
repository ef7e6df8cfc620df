#include <doctest/doctest.h>

#include <climits>

#include "odsgd/base/error.hpp"
#include "odsgd/transport/mpi.hpp"
#include "support/mpi_world.hpp"

using namespace odsgd;
using namespace odsgd::test;

TEST_CASE("mpi: the session says what the launcher said, and which library at which thread level") {
  const MpiSession& session = mpi_world();
  const Launch launch = launch_from_environment();

  CHECK(launch.under_launcher);
  CHECK(session.rank() == launch.rank);
  CHECK(session.size() == launch.size);
  CHECK_FALSE(session.library().empty());
  CHECK(session.library().find('\n') == std::string::npos);
  const bool is_enough = session.thread_level() == "MPI_THREAD_SERIALIZED" ||
                         session.thread_level() == "MPI_THREAD_MULTIPLE";
  CHECK_MESSAGE(is_enough, session.thread_level());
}

TEST_CASE("mpi: no message of its own may be longer than an int counts, or empty") {
  CHECK_THROWS_WITH_AS(mpi_world().endpoint({.part_bytes = 0}),
                       "MPI: got parts of 0 bytes, want 1 to 2147483647", Error);
  CHECK_THROWS_WITH_AS(mpi_world().endpoint({.part_bytes = std::size_t{INT_MAX} + 1}),
                       "MPI: got parts of 2147483648 bytes, want 1 to 2147483647", Error);
}
