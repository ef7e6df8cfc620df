// Writing has no branches, so that the compiler makes vectors of it: floats are compared by their
// bits, which order as their absolute values do. Reading looks up what a code means; only AVX2 has
// an instruction for that, so there it is written out.
#include "odsgd/ps/two_bit.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace odsgd {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes of a word are used by number");

constexpr std::size_t kPerWord = 16;
constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kInfinity = 0x7F800000U;
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

/// What each code means.
using Meanings = std::array<float, 4>;

template <bool kAdds>
void put(float& to, float value) {
  to = kAdds ? to + value : value;
}

/// Reads n words to 16 n floats.
template <bool kAdds>
void decode_words(const std::uint32_t* words, std::size_t n, const Meanings& meanings, float* to) {
#ifdef __AVX2__
  // A vector of eight looks up its lower and its upper half, each in a table of four, by the lowest
  // two bits alone.
  const __m256 table = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(meanings.data()));
  const auto* shifts = reinterpret_cast<const __m256i*>(kShift.data());
  for (std::size_t i = 0; i < 2 * n; ++i, to += 8) {
    const __m256i word = _mm256_set1_epi32(static_cast<int>(words[i / 2]));
    const __m256i codes = _mm256_srlv_epi32(word, _mm256_loadu_si256(shifts + i % 2));
    const __m256 values = _mm256_permutevar_ps(table, codes);
    _mm256_storeu_ps(to, kAdds ? _mm256_add_ps(_mm256_loadu_ps(to), values) : values);
  }
#else
  for (std::size_t i = 0; i < n; ++i, to += kPerWord) {
    for (std::size_t j = 0; j < kPerWord; ++j) {
      put<kAdds>(to[j], meanings[(words[i] >> kShift[j]) & 3U]);
    }
  }
#endif
}

template <bool kAdds>
void decode_from(std::span<const std::byte> bytes, std::size_t begin, std::span<float> to) {
  float theta = 0;
  std::memcpy(&theta, bytes.data(), sizeof theta);
  alignas(16) const Meanings meanings{0, std::numeric_limits<float>::quiet_NaN(), -theta, theta};
  const auto* words = reinterpret_cast<const std::uint32_t*>(bytes.data() + sizeof theta);
  const auto one_by_one = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t element = begin + i;
      const std::uint32_t word = words[element / kPerWord];
      put<kAdds>(to[i], meanings[(word >> kShift[element % kPerWord]) & 3U]);
    }
  };
  const std::size_t head = std::min((kPerWord - begin % kPerWord) % kPerWord, to.size());
  const std::size_t whole = (to.size() - head) / kPerWord;
  const std::size_t tail = head + whole * kPerWord;
  one_by_one(0, head);
  decode_words<kAdds>(words + (begin + head) / kPerWord, whole, meanings, to.data() + head);
  one_by_one(tail, to.size());
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
  decode_from<false>(bytes, begin, into);
}

void decode_add_two_bit(std::span<const std::byte> bytes, std::size_t begin, std::span<float> sum) {
  decode_from<true>(bytes, begin, sum);
}

}  // namespace odsgd
