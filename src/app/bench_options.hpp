#pragma once

#include <cstdint>
#include <optional>
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

/// What `odsgd bench` measures.
using BenchOptions = std::variant<BenchLimitsOptions>;

}  // namespace odsgd
