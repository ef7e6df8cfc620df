#pragma once

#include "bench_options.hpp"

namespace odsgd {

/// `odsgd bench`: measures, and prints a report.
void run_bench(const BenchOptions& options);

}  // namespace odsgd
