#include "odsgd/record/run_result.hpp"

#include <algorithm>
#include <limits>

#include "odsgd/record/overlap.hpp"

namespace odsgd {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

RunResult result_of(const RunRows& rows) {
  RunResult result;
  result.images_per_s = result.test_loss = result.test_top1 = result.test_top5 = kNone;
  if (!rows.train.empty()) {
    const TrainRow& last = rows.train.back();
    result.steps = last.step;
    result.samples = last.samples;
    result.train_seconds = last.seconds;
    if (last.seconds > 0) {
      result.images_per_s = static_cast<double>(last.samples) / last.seconds;
    }
  }
  if (!rows.eval.empty()) {
    result.test_loss = rows.eval.back().loss;
    result.test_top1 = rows.eval.back().top1;
    result.test_top5 = rows.eval.back().top5;
  }
  for (const TimingRow& row : rows.timing) {
    result.peak_memory_bytes = std::max(result.peak_memory_bytes, row.peak_memory_bytes);
  }
  const Spread hidden = overlap_of(rows.timing).hidden_share;
  result.hidden_share_min = hidden.min;
  result.hidden_share_mean = hidden.mean;
  result.hidden_share_max = hidden.max;
  return result;
}

}  // namespace odsgd
