#include "odsgd/ps/codec.hpp"

#include <bit>
#include <cstring>

#include "odsgd/base/error.hpp"
#include "odsgd/base/names.hpp"
#include "odsgd/ps/two_bit.hpp"

namespace odsgd {
namespace {

constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kInfinity = 0x7F800000U;

std::uint16_t bfloat16_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7FFFU + ((bits >> 16) & 1U);
  const bool is_nan = (bits & ~kSign) > kInfinity;
  return static_cast<std::uint16_t>((is_nan ? bits | 0x400000U : rounded) >> 16);
}

float float_of_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Without branches, so that the compiler makes vectors of it. Adding a float whose unit in the
/// last place is that of the result rounds to nearest even, in hardware, at the right bit: 2^-1 for
/// subnormal results, whose unit is 2^-24.
std::uint16_t float16_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits & kSign) >> 16;
  const std::uint32_t size = bits & ~kSign;
  // Normal: the exponent's bias falls from 127 to 15, and 13 bits are rounded away.
  const std::uint32_t normal = (size - ((127U - 15U) << 23) + 0xFFFU + ((size >> 13) & 1U)) >> 13;
  const float half = std::bit_cast<float>(size) + 0.5F;
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(half) - std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t small = size < (113U << 23) ? subnormal : normal;  // 2^-14
  const std::uint32_t large = size > kInfinity ? 0x7E00U : 0x7C00U;
  // From 65,520 on the nearest is infinity.
  return static_cast<std::uint16_t>(sign | (size >= 0x477FF000U ? large : small));
}

float float_of_float16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t size = bits & 0x7FFFU;
  const std::uint32_t normal = (size << 13) + ((127U - 15U) << 23);
  // Subnormal: an integer times 2^-24.
  const auto subnormal =
      std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(size)) * 0x1p-24F);
  const std::uint32_t large = (size << 13) | kInfinity;
  const std::uint32_t small = size < 0x400U ? subnormal : normal;
  return std::bit_cast<float>(sign | (size >= 0x7C00U ? large : small));
}

const std::uint16_t* halves(std::span<const std::byte> bytes, std::size_t begin) {
  return reinterpret_cast<const std::uint16_t*>(bytes.data()) + begin;
}

template <class Convert>
void encode_halves(std::span<const float> floats, std::span<std::byte> into, Convert convert) {
  auto* to = reinterpret_cast<std::uint16_t*>(into.data());
  for (std::size_t i = 0; i < floats.size(); ++i) to[i] = convert(floats[i]);
}

/// Calls `use(i, float)` for each float asked for.
template <class Use>
void decode_each(Codec codec, std::span<const std::byte> bytes, std::size_t begin,
                 std::size_t count, Use use) {
  switch (codec) {
    case Codec::kFloat32: {
      const auto* from = reinterpret_cast<const float*>(bytes.data()) + begin;
      for (std::size_t i = 0; i < count; ++i) use(i, from[i]);
      return;
    }
    case Codec::kBfloat16: {
      const std::uint16_t* from = halves(bytes, begin);
      for (std::size_t i = 0; i < count; ++i) use(i, float_of_bfloat16(from[i]));
      return;
    }
    case Codec::kFloat16: {
      const std::uint16_t* from = halves(bytes, begin);
      for (std::size_t i = 0; i < count; ++i) use(i, float_of_float16(from[i]));
      return;
    }
    case Codec::kTwoBit:
      break;  // has kernels of its own
  }
  fail("codec: got number {}, which this program does not know", static_cast<int>(codec));
}

}  // namespace

const std::vector<std::string>& codec_names() {
  static const std::vector<std::string> names{"float32", "bfloat16", "float16"};
  return names;
}

Codec codec_of(const std::string& name) {
  return static_cast<Codec>(place_of_name("codec", codec_names(), name));
}

std::size_t encoded_bytes(Codec codec, std::size_t floats) {
  if (codec == Codec::kTwoBit) return two_bit_bytes(floats);
  return floats * (codec == Codec::kFloat32 ? sizeof(float) : sizeof(std::uint16_t));
}

void encode(Codec codec, std::span<const float> floats, std::span<std::byte> into) {
  switch (codec) {
    case Codec::kFloat32:
      std::memcpy(into.data(), floats.data(), floats.size_bytes());
      return;
    case Codec::kBfloat16:
      encode_halves(floats, into, bfloat16_of);
      return;
    case Codec::kFloat16:
      encode_halves(floats, into, float16_of);
      return;
    case Codec::kTwoBit:
      fail("codec: got the 2-bit one without a residual, want another (see encode_two_bit)");
  }
}

void decode(Codec codec, std::span<const std::byte> bytes, std::size_t begin,
            std::span<float> into) {
  if (codec == Codec::kTwoBit) return decode_two_bit(bytes, begin, into);
  float* to = into.data();
  decode_each(codec, bytes, begin, into.size(), [to](std::size_t i, float x) { to[i] = x; });
}

void decode_add(Codec codec, std::span<const std::byte> bytes, std::size_t begin,
                std::span<float> sum) {
  if (codec == Codec::kTwoBit) return decode_add_two_bit(bytes, begin, sum);
  float* to = sum.data();
  decode_each(codec, bytes, begin, sum.size(), [to](std::size_t i, float x) { to[i] += x; });
}

}  // namespace odsgd
