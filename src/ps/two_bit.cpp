// The loops have no branches and arrays of fixed sizes inside, so that the compiler makes vectors
// of them: floats are compared by their bits, which order as their absolute values do.
#include "odsgd/ps/two_bit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace odsgd {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes of a word are used by number");

constexpr std::size_t kPerWord = 16;
constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kInfinity = 0x7F800000U;
constexpr std::uint32_t kNan = 0x7FC00000U;
constexpr std::uint32_t kNanCode = 1;

/// Where in its word an element's code is.
constexpr std::array<std::uint32_t, kPerWord> kShift{6,  4,  2,  0,  14, 12, 10, 8,
                                                     22, 20, 18, 16, 30, 28, 26, 24};

/// Updates r, and writes each element's code to a byte.
void quantize(const float* __restrict g, float* __restrict r, float theta, std::size_t n,
              unsigned char* __restrict codes) {
  const auto theta_bits = std::bit_cast<std::uint32_t>(theta);
  for (std::size_t i = 0; i < n; ++i) {
    const float sum = r[i] + g[i];
    const auto bits = std::bit_cast<std::uint32_t>(sum);
    const std::uint32_t size = bits & ~kSign;
    const std::uint32_t sends = size >= theta_bits ? ~0U : 0U;
    const std::uint32_t code = sends & (3U - (bits >> 31));
    codes[i] = static_cast<unsigned char>(size < kInfinity ? code : kNanCode);
    r[i] = sum - std::bit_cast<float>(sends & (theta_bits | (bits & kSign)));
  }
}

/// Four codes c0 to c3, a byte each, become one byte: of the product's terms, those that end in its
/// highest byte are c0 << 30, c1 << 28, c2 << 26 and c3 << 24.
void pack(const std::uint32_t* __restrict fours, std::size_t n, std::byte* __restrict into) {
  for (std::size_t i = 0; i < n; ++i) {
    into[i] = static_cast<std::byte>((fours[i] * 0x40100401U) >> 24);
  }
}

float value_of(std::uint32_t word, std::size_t element, std::uint32_t theta_bits) {
  const std::uint32_t code = (word >> kShift[element]) & 3U;
  const std::uint32_t sends = 0U - (code >> 1);
  const std::uint32_t nan = code == kNanCode ? kNan : 0U;
  return std::bit_cast<float>((sends & (theta_bits | ((code ^ 1U) << 31))) | nan);
}

/// Calls `use(i, float)` for each element asked for.
template <class Use>
void decode_each(std::span<const std::byte> bytes, std::size_t begin, std::size_t count, Use use) {
  std::uint32_t theta_bits = 0;
  std::memcpy(&theta_bits, bytes.data(), sizeof theta_bits);
  const auto* words =
      reinterpret_cast<const std::uint32_t*>(bytes.data() + sizeof theta_bits) + begin / kPerWord;
  const std::size_t first = begin % kPerWord;
  std::size_t i = 0;
  const auto use_part = [&](std::size_t from, std::size_t to) {
    for (std::size_t j = from; j < to; ++j) use(i++, value_of(*words, j, theta_bits));
    ++words;
  };
  if (first > 0) use_part(first, std::min(kPerWord, first + count));
  for (; i + kPerWord <= count; i += kPerWord) {
    const std::uint32_t word = *words++;
    for (std::size_t j = 0; j < kPerWord; ++j) use(i + j, value_of(word, j, theta_bits));
  }
  if (i < count) use_part(0, count - i);
}

}  // namespace

std::size_t two_bit_bytes(std::size_t floats) {
  return sizeof(float) + (floats + kPerWord - 1) / kPerWord * sizeof(std::uint32_t);
}

void encode_two_bit(std::span<const float> g, std::span<float> residual, float theta,
                    std::span<std::byte> into) {
  constexpr std::size_t kBlock = 1024;  // its codes stay in the first-level cache
  std::array<std::uint32_t, kBlock / 4> fours;
  auto* codes = reinterpret_cast<unsigned char*>(fours.data());
  std::memcpy(into.data(), &theta, sizeof theta);
  std::byte* to = into.data() + sizeof theta;
  for (std::size_t begin = 0; begin < g.size(); begin += kBlock) {
    const std::size_t n = std::min(kBlock, g.size() - begin);
    const std::size_t padded = (n + kPerWord - 1) / kPerWord * kPerWord;
    quantize(g.data() + begin, residual.data() + begin, theta, n, codes);
    std::fill(codes + n, codes + padded, static_cast<unsigned char>(0));
    pack(fours.data(), padded / 4, to);
    to += padded / 4;
  }
}

void decode_two_bit(std::span<const std::byte> bytes, std::size_t begin, std::span<float> into) {
  float* to = into.data();
  decode_each(bytes, begin, into.size(), [to](std::size_t i, float x) { to[i] = x; });
}

void decode_add_two_bit(std::span<const std::byte> bytes, std::size_t begin, std::span<float> sum) {
  float* to = sum.data();
  decode_each(bytes, begin, sum.size(), [to](std::size_t i, float x) { to[i] += x; });
}

}  // namespace odsgd
