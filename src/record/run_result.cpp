#include "odsgd/record/run_result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace odsgd {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void add_hidden_share(const std::vector<TimingRow>& timing, RunResult& result) {
  struct Sums {
    double wait = 0;
    double in_flight = 0;
  };
  std::map<std::int64_t, Sums> workers;
  for (const TimingRow& row : timing) {
    if (row.role != kWorkerRole) continue;
    workers[row.index].wait += row.wait;
    workers[row.index].in_flight += row.in_flight;
  }
  double sum = 0;
  int count = 0;
  for (const auto& [worker, sums] : workers) {
    const double share = hidden_share(sums.wait, sums.in_flight);
    if (std::isnan(share)) continue;
    result.hidden_share_min = count == 0 ? share : std::min(result.hidden_share_min, share);
    result.hidden_share_max = count == 0 ? share : std::max(result.hidden_share_max, share);
    sum += share;
    ++count;
  }
  if (count > 0) result.hidden_share_mean = sum / count;
}

}  // namespace

double hidden_share(double wait_s, double in_flight_s) {
  if (!(in_flight_s > 0)) return kNone;
  return std::clamp(1 - wait_s / in_flight_s, 0.0, 1.0);
}

RunResult result_of(const RunRows& rows) {
  RunResult result;
  result.images_per_s = result.test_loss = result.test_top1 = result.test_top5 = kNone;
  result.hidden_share_min = result.hidden_share_mean = result.hidden_share_max = kNone;
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
  add_hidden_share(rows.timing, result);
  return result;
}

}  // namespace odsgd
