#include <doctest/doctest.h>

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
