#pragma once

#include "odsgd/transport/mpi.hpp"

namespace odsgd::test {

/// The MPI session of a test program whose main() is mpi_main.cpp.
const MpiSession& mpi_world();

}  // namespace odsgd::test
