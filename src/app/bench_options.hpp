#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace odsgd {

inline constexpr const char* kBenchSummary = "Measure the speed of this machine and of the parts";

/// Everything that `odsgd bench limits` can be told.
struct BenchLimitsOptions {
  std::int64_t floats = 25'000'000;  ///< of each array
  std::optional<int> threads;        ///< default: the processors that this process may use
  int repetitions = 10;
  bool json = false;
};

/// What the benchmarks of the exchange have in common.
struct BenchExchangeOptions {
  std::string network = "resnet50";
  double scale = 1;
  std::string servers = "1";
  std::optional<int> workers;  ///< threads as ranks; under a launcher its ranks decide
  int server_threads = 1;
  std::optional<int> message_kib;  ///< default: see message_kib_of()
  std::string push_dtype = "float32";
  std::string priority = "layer";
  double timeout = 60;  ///< seconds
  int warmup_steps = 5;
  int steps = 20;
  bool json = false;
};

/// Everything that `odsgd bench ps` can be told.
struct BenchPsOptions : BenchExchangeOptions {
  BenchPsOptions() { priority = "fifo"; }  // no key is wanted before others

  int rounds = 5;       ///< of limits and exchange
  int repetitions = 3;  ///< of each limit in a round
};

/// Everything that `odsgd bench overlap` can be told.
struct BenchOverlapOptions : BenchExchangeOptions {
  std::optional<double> compute_ms;  ///< of a step; else by the ratio
  double ratio = 1;                  ///< communication / compute
  double compute_jitter = 0;         ///< percent
  double straggler = 1;              ///< the last worker computes so much longer
};

/// What `odsgd bench` measures.
using BenchOptions = std::variant<BenchLimitsOptions, BenchPsOptions, BenchOverlapOptions>;

}  // namespace odsgd
