#pragma once

#include <cstdint>
#include <vector>

namespace odsgd {

struct Interval {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

/// How long at least one of the intervals was under way: the length of their union.
std::int64_t covered_ns(std::vector<Interval> intervals);

}  // namespace odsgd
