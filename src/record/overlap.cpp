#include "odsgd/record/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "timing_totals.hpp"

namespace odsgd {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double hidden_share(double wait_s, double in_flight_s) {
  if (!(in_flight_s > 0)) return kNone;
  return std::clamp(1 - wait_s / in_flight_s, 0.0, 1.0);
}

Spread spread_of(std::span<const double> values) {
  Spread spread{kNone, kNone, kNone};
  double sum = 0;
  int count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    spread.min = count == 0 ? value : std::min(spread.min, value);
    spread.max = count == 0 ? value : std::max(spread.max, value);
    sum += value;
    ++count;
  }
  if (count > 0) spread.mean = sum / count;
  return spread;
}

OverlapRow overlap_of(std::span<const TimingRow> rows) {
  const std::vector<TimingRow> totals = totals_of_ranks(rows);
  const auto spread = [&](const auto& value_of) {
    std::vector<double> values;
    for (const TimingRow& row : totals) {
      if (row.role == kWorkerRole) values.push_back(value_of(row));
    }
    return spread_of(values);
  };
  const auto per_step = [&](double TimingRow::*time) {
    return spread([&](const TimingRow& row) {
      return row.steps > 0 ? row.*time / static_cast<double>(row.steps) : kNone;
    });
  };
  using R = TimingRow;
  return {.epoch = rows.empty() ? 0 : rows.front().epoch,
          .step = per_step(&R::seconds),
          .compute = per_step(&R::compute),
          .wait = per_step(&R::wait),
          .local_update = per_step(&R::local_update),
          .push = per_step(&R::push),
          .pull = per_step(&R::pull),
          .in_flight = per_step(&R::in_flight),
          .hidden_share = spread([](const TimingRow& row) {
            return hidden_share(row.measured_wait, row.measured_in_flight);
          })};
}

double most_of_a_core(std::span<const TimingRow> rows, std::int64_t role) {
  std::vector<double> shares;
  for (const TimingRow& row : totals_of_ranks(rows)) {
    if (row.role == role && row.seconds > 0 && row.progress_cpu > 0) {
      shares.push_back(row.progress_cpu / row.seconds);
    }
  }
  return spread_of(shares).max;
}

}  // namespace odsgd
