#pragma once

#include <memory>
#include <string>

#include "check_in.hpp"
#include "job.hpp"
#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// What one rank has worked out before it met the others.
struct Prepared {
  std::shared_ptr<const Job> job;  ///< empty when the hello holds an error
  Hello hello;
};

/// How messages travel; for the log.
struct TransportInfo {
  std::string name;
  std::string mpi_library;
  std::string mpi_thread_level;
};

/// One rank of a run from check-in to end. Returns the exit code; the errors that the check-in
/// found are printed by rank 0. Throws whatever goes wrong later: the caller then ends all ranks.
int run_rank(std::unique_ptr<Endpoint> endpoint, const Prepared& prepared,
             const TransportInfo& transport);

}  // namespace odsgd
