#pragma once

#include <functional>
#include <memory>

#include "bench_options.hpp"
#include "odsgd/bench/measured_run.hpp"
#include "odsgd/bench/report.hpp"
#include "odsgd/transport/mpi.hpp"

namespace odsgd {

/// One rank of a benchmark of the exchange.
struct BenchRank {
  int rank = 0;
  int ranks = 1;
  const MpiSession* mpi = nullptr;  ///< null: ranks are threads

  /// A fresh endpoint; to be called by all ranks together.
  std::function<std::unique_ptr<Endpoint>()> make_endpoint;
};

/// Runs the body on the ranks that the launcher started, or as threads. Returns the exit code.
int run_on_bench_ranks(const BenchExchangeOptions& options, const Launch& launch,
                       const std::function<void(const BenchRank& rank)>& body);

/// The run that the options describe, on these ranks. Throws UsageError.
RunPlan plan_of(const BenchExchangeOptions& options, int ranks, const MpiSession* mpi);

/// A report that says where, and of what.
Report exchange_report(const std::string& title, const BenchExchangeOptions& options,
                       const BenchRank& rank, const RunPlan& plan);

void print(const Report& report, bool json);

void bench_ps(const BenchPsOptions& options, const BenchRank& rank);
void bench_overlap(const BenchOverlapOptions& options, const BenchRank& rank);

}  // namespace odsgd
