#pragma once

#include <cstring>
#include <span>

namespace odsgd::test {

/// Whether two ranges hold the same floats bit for bit; -0 and 0 differ, equal NaNs do not.
inline bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace odsgd::test
