#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "odsgd/transport/mpi.hpp"

namespace odsgd {

/// What went wrong on a rank, and where, for people.
using DescribeFailure = std::function<std::string(int rank, const std::exception& error)>;

/// Starts MPI; prints why when that fails, on one rank, and returns whether it succeeded.
bool start_mpi(std::optional<MpiSession>& session);

/// Runs the body once a rank, every rank a thread of this process. The first exception is printed
/// and its text given to `abort`, which has to end the other ranks. Returns the exit code.
int run_on_threads(int ranks, const std::function<void(int rank)>& body,
                   const DescribeFailure& describe,
                   const std::function<void(const std::string& why)>& abort);

}  // namespace odsgd
