#include "covered_time.hpp"

#include <algorithm>
#include <limits>

namespace odsgd {

std::int64_t covered_ns(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.begin_ns < b.begin_ns; });
  std::int64_t covered = 0;
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
  for (const Interval& interval : intervals) {
    const std::int64_t begin_ns = std::max(interval.begin_ns, end_ns);
    covered += std::max<std::int64_t>(interval.end_ns - begin_ns, 0);
    end_ns = std::max(end_ns, interval.end_ns);
  }
  return covered;
}

}  // namespace odsgd
