#pragma once

#include <memory>

#include "odsgd/transport/endpoint.hpp"
#include "odsgd/transport/mpi.hpp"

namespace odsgd {

/// An endpoint on a duplicate of MPI_COMM_WORLD. MPI must be initialised, and finalised after its
/// destruction.
std::unique_ptr<Endpoint> make_mpi_endpoint(const MpiLimits& limits);

}  // namespace odsgd
