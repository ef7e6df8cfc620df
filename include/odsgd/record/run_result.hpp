#pragma once

#include <cstdint>

#include "odsgd/record/rows.hpp"

namespace odsgd {

/// A run in a few numbers. What there is no row for is NaN or 0.
struct RunResult {
  std::int64_t steps = 0;
  std::int64_t samples = 0;  ///< trained on, all workers
  double train_seconds = 0;  ///< without evaluations
  double images_per_s = 0;   ///< samples / train_seconds
  double test_loss = 0;      ///< of the last evaluation, as the next two
  double test_top1 = 0;
  double test_top5 = 0;
  double hidden_share_min = 0;  ///< over workers, each over the whole run
  double hidden_share_mean = 0;
  double hidden_share_max = 0;
  std::int64_t peak_memory_bytes = 0;  ///< of the rank that needed most
};

RunResult result_of(const RunRows& rows);

}  // namespace odsgd
