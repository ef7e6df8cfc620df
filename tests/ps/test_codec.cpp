#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/base/random.hpp"
#include "odsgd/ps/codec.hpp"

using namespace odsgd;

namespace {

std::uint16_t encoded(Codec codec, float value) {
  std::uint16_t bits = 0;
  encode(codec, std::span(&value, 1), std::as_writable_bytes(std::span(&bits, 1)));
  return bits;
}

float decoded(Codec codec, std::uint16_t bits) {
  float value = 0;
  decode(codec, std::as_bytes(std::span(&bits, 1)), 0, std::span(&value, 1));
  return value;
}

/// What the 16 bits mean, from their definition.
float meaning(std::uint16_t bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits & 0x7FFF) >> fraction_bits;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction == 0 ? static_cast<float>(sign) * std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  }
  const double significand = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
  return static_cast<float>(sign *
                            std::ldexp(significand, std::max(exponent, 1) - bias - fraction_bits));
}

}  // namespace

TEST_CASE("codec: each of the 65,536 halves reads as what it means, and is written back the same") {
  for (const auto& [codec, exponent_bits] :
       {std::pair{Codec::kBfloat16, 8}, std::pair{Codec::kFloat16, 5}}) {
    int wrong = 0;
    for (std::uint32_t i = 0; i < 65536; ++i) {
      const auto bits = static_cast<std::uint16_t>(i);
      const float want = meaning(bits, exponent_bits);
      const float got = decoded(codec, bits);
      if (std::isnan(want)) {
        wrong += !std::isnan(got) || !std::isnan(decoded(codec, encoded(codec, got)));
      } else {
        wrong += std::bit_cast<std::uint32_t>(got) != std::bit_cast<std::uint32_t>(want) ||
                 encoded(codec, got) != bits;
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("codec: any float goes to the nearest half, and from halfway to the even one") {
  const Random random(5, 0);
  for (const auto& [codec, exponent_bits] :
       {std::pair{Codec::kBfloat16, 8}, std::pair{Codec::kFloat16, 5}}) {
    int wrong = 0;
    // Between each two neighbours: just below halfway, halfway, just above, and somewhere.
    const std::uint16_t infinity = encoded(codec, std::numeric_limits<float>::infinity());
    for (std::uint16_t low = 0; low + 1 < infinity; ++low) {
      const auto high = static_cast<std::uint16_t>(low + 1);
      const float a = meaning(low, exponent_bits);
      const float b = meaning(high, exponent_bits);
      const float middle = a + (b - a) / 2;
      const float below = std::nextafterf(middle, a);
      const float above = std::nextafterf(middle, b);
      const float somewhere = a + (b - a) * static_cast<float>(random.uniform(low)) * 0.49F;
      wrong += encoded(codec, below) != low || encoded(codec, above) != high;
      wrong += encoded(codec, middle) != (low % 2 == 0 ? low : high);
      wrong += encoded(codec, somewhere) != low || encoded(codec, -somewhere) != (low | 0x8000);
    }
    CHECK(wrong == 0);
  }
  CHECK(encoded(Codec::kFloat16, 65519.996F) == 0x7BFF);
  CHECK(encoded(Codec::kFloat16, 65520.0F) == 0x7C00);
  CHECK(encoded(Codec::kFloat16, 1e30F) == 0x7C00);
  CHECK(encoded(Codec::kBfloat16, std::numeric_limits<float>::max()) == 0x7F80);
}

TEST_CASE("codec: decoding begins where it is told to, and adds where it is told to") {
  const std::vector<float> floats{1, -2, 3, 0.5F};
  for (const Codec codec : {Codec::kFloat32, Codec::kBfloat16, Codec::kFloat16}) {
    std::vector<std::byte> bytes(encoded_bytes(codec, floats.size()));
    CHECK(bytes.size() == (codec == Codec::kFloat32 ? 16 : 8));
    encode(codec, floats, bytes);
    std::vector<float> read(2);
    decode(codec, bytes, 1, read);
    CHECK(read == std::vector<float>{-2, 3});
    decode_add(codec, bytes, 2, read);
    CHECK(read == std::vector<float>{1, 3.5F});
  }
}

TEST_CASE("codec: names") {
  CHECK(codec_of("bfloat16") == Codec::kBfloat16);
  CHECK(codec_names()[static_cast<std::size_t>(Codec::kFloat16)] == "float16");
  CHECK_THROWS_WITH_AS(codec_of("int8"), "codec: got int8, want one of float32, bfloat16, float16",
                       Error);
}
