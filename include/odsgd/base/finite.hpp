#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace odsgd {

/// Whether a number is neither infinite nor not-a-number: its exponent bits are not all ones.
inline bool is_finite(float x) {
  constexpr std::uint32_t kExponent = 0x7F800000U;
  return (std::bit_cast<std::uint32_t>(x) & kExponent) != kExponent;
}

/// Whether all are. Without a branch inside, so that the compiler makes vectors of it: as fast as
/// the floats can be read.
inline bool are_finite(std::span<const float> floats) {
  std::uint32_t wrong = 0;
  for (const float x : floats) wrong |= is_finite(x) ? 0U : 1U;
  return wrong == 0;
}

/// The first that is not; 0 where all are.
inline float first_not_finite(std::span<const float> floats) {
  for (const float x : floats) {
    if (!is_finite(x)) return x;
  }
  return 0;
}

}  // namespace odsgd
