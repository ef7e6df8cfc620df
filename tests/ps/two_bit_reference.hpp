#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace odsgd::test {

/// The 2-bit codec one element at a time, as its definition says.
inline std::vector<std::byte> reference_two_bit(std::span<const float> g, std::span<float> residual,
                                                float theta) {
  std::vector<std::byte> bytes(4 + (g.size() + 15) / 16 * 4);
  std::memcpy(bytes.data(), &theta, 4);
  for (std::size_t i = 0; i < g.size(); ++i) {
    float& r = residual[i];
    r += g[i];
    unsigned code = 0b00;
    if (!std::isfinite(r)) {
      code = 0b01;
    } else if (r >= theta) {
      code = 0b11;
      r -= theta;
    } else if (r <= -theta) {
      code = 0b10;
      r += theta;
    }
    const std::size_t word = i / 16;
    const std::size_t byte = i % 16 / 4;
    bytes[4 + 4 * word + byte] |= static_cast<std::byte>(code << (6 - 2 * (i % 4)));
  }
  return bytes;
}

/// All elements of such a message.
inline std::vector<float> reference_decoded(std::span<const std::byte> bytes, std::size_t count) {
  float theta = 0;
  std::memcpy(&theta, bytes.data(), 4);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<unsigned>(bytes[4 + i / 4]);
    const unsigned code = byte >> (6 - 2 * (i % 4)) & 3;
    if (code == 0b11) values[i] = theta;
    if (code == 0b10) values[i] = -theta;
    if (code == 0b01) values[i] = std::numeric_limits<float>::quiet_NaN();
  }
  return values;
}

}  // namespace odsgd::test
