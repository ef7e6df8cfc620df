#include "timing_totals.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace odsgd {

std::vector<TimingRow> totals_of_ranks(std::span<const TimingRow> rows) {
  using R = TimingRow;
  constexpr auto kSums =
      std::to_array({&R::seconds, &R::compute, &R::input, &R::wait, &R::local_update, &R::post,
                     &R::other, &R::push, &R::pull, &R::in_flight, &R::measured_wait,
                     &R::measured_in_flight, &R::progress_cpu});
  constexpr auto kCounts =
      std::to_array({&R::steps, &R::measured_steps, &R::bytes_pushed, &R::bytes_pulled});
  std::map<std::tuple<std::int64_t, std::int64_t>, TimingRow> sums;
  for (const TimingRow& row : rows) {
    const auto [at, is_new] = sums.try_emplace({row.rank, row.role}, row);
    if (is_new) continue;
    TimingRow& sum = at->second;
    for (const auto member : kSums) sum.*member += row.*member;
    for (const auto member : kCounts) sum.*member += row.*member;
    sum.peak_memory_bytes = std::max(sum.peak_memory_bytes, row.peak_memory_bytes);
  }
  std::vector<TimingRow> list;
  list.reserve(sums.size());
  for (const auto& [key, sum] : sums) list.push_back(sum);
  return list;
}

}  // namespace odsgd
