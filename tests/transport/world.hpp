#pragma once

#include "odsgd/transport/mpi.hpp"
#include "support/ranks.hpp"

namespace odsgd::test {

constexpr int kWorldSize = 4;

/// Runs the body on four ranks and returns when all have ended it: as threads
/// (in_process_world.cpp), or on the four ranks of this MPI job, this one among them
/// (mpi_world.cpp). Threads have no limits.
void on_four_ranks(const RankBody& body, const MpiLimits& limits = {});

}  // namespace odsgd::test
