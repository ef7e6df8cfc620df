#pragma once

#include "bench_options.hpp"
#include "odsgd/transport/mpi.hpp"

namespace odsgd {

/// `odsgd bench`: measures, and prints a report. Returns the exit code.
int run_bench(const BenchOptions& options, const Launch& launch);

}  // namespace odsgd
