#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/base/random.hpp"
#include "odsgd/ps/codec.hpp"
#include "odsgd/ps/two_bit.hpp"
#include "ps/two_bit_reference.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kMax = std::numeric_limits<float>::max();

/// More than a block of the encoder, and lengths that fill words and vectors or do not.
constexpr std::array<std::size_t, 14> kCounts{0,  1,  3,   15,  16,   17,   31,
                                              32, 33, 100, 255, 1024, 1025, 3001};

std::vector<float> random_floats(std::size_t count, float size, std::uint64_t stream) {
  const Random random(11, stream);
  std::vector<float> floats(count);
  for (std::size_t i = 0; i < count; ++i) {
    floats[i] = size * static_cast<float>(2 * random.uniform(i) - 1);
  }
  return floats;
}

/// Written over rubbish, so that what is not written is seen.
std::vector<std::byte> encoded(std::span<const float> g, std::span<float> residual, float theta) {
  std::vector<std::byte> bytes(encoded_bytes(Codec::kTwoBit, g.size()), std::byte{0xA5});
  encode_two_bit(g, residual, theta, bytes);
  return bytes;
}

std::vector<float> decoded(std::span<const std::byte> bytes, std::size_t count) {
  std::vector<float> values(count, 99);
  decode(Codec::kTwoBit, bytes, 0, values);
  return values;
}

/// Bytes and residual of both, step by step.
void check_against_reference(const std::vector<std::vector<float>>& gradients, float theta) {
  std::vector<float> residual(gradients.front().size());
  std::vector<float> want_residual(residual.size());
  for (const auto& g : gradients) {
    const auto want = reference_two_bit(g, want_residual, theta);
    CHECK(encoded(g, residual, theta) == want);
    CHECK(same_bits(residual, want_residual));
    CHECK(same_bits(decoded(want, g.size()), reference_decoded(want, g.size())));
  }
}

}  // namespace

TEST_CASE("2-bit codec: theta first, then 16 elements a word, first to last from the high bits") {
  // Bytes 11 10 00 11, 00 00 00 10, 0, 0; then 11 00 00 00 and the rest of a word.
  std::vector<float> g(17);
  g[0] = 1;
  g[1] = -1;
  g[3] = 1;
  g[7] = -1;
  g[16] = 1;
  std::vector<float> residual(17);

  const auto bytes = encoded(g, residual, 0.5F);

  const std::vector<int> want{0, 0, 0, 0x3F, 0b11100011, 0b00000010, 0, 0, 0b11000000, 0, 0, 0};
  REQUIRE(bytes.size() == want.size());
  for (std::size_t i = 0; i < want.size(); ++i) CHECK(std::to_integer<int>(bytes[i]) == want[i]);
  CHECK(residual[0] == 0.5F);
  CHECK(residual[1] == -0.5F);
  CHECK(residual[2] == 0);
}

TEST_CASE("2-bit codec: as the reference in every bit, for any length, step after step") {
  for (const std::size_t count : kCounts) {
    CAPTURE(count);
    std::vector<std::vector<float>> gradients;
    for (std::uint64_t t = 0; t < 5; ++t) gradients.push_back(random_floats(count, 2, t));
    check_against_reference(gradients, 0.7F);
  }
}

TEST_CASE("2-bit codec: as the reference where theta is hit or missed by a bit, and at extremes") {
  for (const float theta : {0.3F, 1.0F, 1e-30F, 1e-45F, 1e30F, kMax}) {
    CAPTURE(theta);
    std::vector<float> g;
    for (const float size : {theta, std::nextafterf(theta, 0), std::nextafterf(theta, kInfinity),
                             0.0F, theta / 2, 1e-45F, 1e-38F, 1.0F, 1e38F, kMax, kInfinity}) {
      g.push_back(size);
      g.push_back(-size);
    }
    g.push_back(kNan);
    std::vector<float> other = g;
    std::rotate(other.begin(), other.begin() + 5, other.end());
    check_against_reference({g, g, other, g}, theta);
  }
}

TEST_CASE("2-bit codec: what hits theta is sent, and leaves nothing") {
  const float theta = 0.3F;
  std::vector<float> residual(3);
  const std::vector<float> g{theta, -theta, std::nextafterf(theta, 0)};

  const auto bytes = encoded(g, residual, theta);

  CHECK(decoded(bytes, 3) == std::vector<float>{theta, -theta, 0});
  CHECK(residual == std::vector<float>{0, 0, g[2]});
}

TEST_CASE(
    "2-bit codec: from a gradient that is no finite number on, NaN is sent and nothing else") {
  for (const float broken : {kNan, kInfinity, -kInfinity}) {
    CAPTURE(broken);
    std::vector<float> residual(20);
    std::vector<float> g(20, 1);
    g[18] = broken;
    for (int step = 0; step < 3; ++step) {
      const auto values = decoded(encoded(g, residual, 1), g.size());
      std::vector<float> sum(g.size(), 2);
      decode_add(Codec::kTwoBit, encoded(g, residual, 1), 0, sum);
      for (std::size_t i = 0; i < g.size(); ++i) {
        CHECK(std::isnan(values[i]) == (i == 18));
        CHECK(std::isnan(sum[i]) == (i == 18));
      }
      g[18] = 1;  // what comes later does not mend it
    }
  }
}

TEST_CASE("2-bit codec: a residual that overflows is sent as NaN") {
  std::vector<float> residual(1);
  const std::vector<float> g{kMax};
  CHECK(decoded(encoded(g, residual, 1), 1)[0] == 1);
  CHECK(residual[0] == kMax);  // less 1 is the same float
  CHECK(std::isnan(decoded(encoded(g, residual, 1), 1)[0]));
}

TEST_CASE("2-bit codec: reading begins and ends anywhere, and adds where it is told to") {
  constexpr std::size_t kCount = 100;
  std::vector<float> residual(kCount);
  const auto bytes = encoded(random_floats(kCount, 2, 9), residual, 0.7F);
  const auto all = reference_decoded(bytes, kCount);
  const auto before = random_floats(kCount, 1, 10);
  for (std::size_t begin = 0; begin <= kCount; ++begin) {
    for (std::size_t end = begin; end <= kCount; ++end) {
      // One float more than is asked for on either side.
      std::vector<float> read(end - begin + 2, 99);
      std::vector<float> sum(end - begin + 2, 99);
      std::vector<float> want(end - begin + 2, 99);
      std::vector<float> want_sum(end - begin + 2, 99);
      for (std::size_t i = begin; i < end; ++i) {
        sum[1 + i - begin] = before[i];
        want[1 + i - begin] = all[i];
        want_sum[1 + i - begin] = before[i] + all[i];
      }
      decode(Codec::kTwoBit, bytes, begin, std::span(read).subspan(1, end - begin));
      decode_add(Codec::kTwoBit, bytes, begin, std::span(sum).subspan(1, end - begin));
      REQUIRE(same_bits(read, want));
      REQUIRE(same_bits(sum, want_sum));
    }
  }
}

TEST_CASE("2-bit codec: what was sent plus the residual is the sum of the gradients") {
  constexpr std::size_t kCount = 1000;
  constexpr int kSteps = 200;
  const float theta = 0.5F;
  // Some gradients are smaller than theta, some greater; r begins with something.
  std::vector<float> residual = random_floats(kCount, 0.4F, 1000);
  std::vector<double> want(residual.begin(), residual.end());
  std::vector<double> sent(kCount);
  for (std::uint64_t t = 0; t < kSteps; ++t) {
    auto g = random_floats(kCount, 0.9F, t);
    for (std::size_t i = 0; i < kCount; i += 2) g[i] += 0.2F;  // half of them drift
    for (std::size_t i = 0; i < kCount; ++i) want[i] += static_cast<double>(g[i]);
    const auto values = decoded(encoded(g, residual, theta), kCount);
    for (std::size_t i = 0; i < kCount; ++i) sent[i] += static_cast<double>(values[i]);
  }
  // Two roundings a step, of numbers below 2: 2^-24 each at most.
  const double bound = 2.0 * kSteps * std::ldexp(1.0, -24);
  for (std::size_t i = 0; i < kCount; ++i) {
    CHECK(std::abs(sent[i] + static_cast<double>(residual[i]) - want[i]) <= bound);
  }
}

TEST_CASE("2-bit codec: the residual stays below theta while no gradient is above it") {
  constexpr std::size_t kCount = 500;
  const float theta = 0.5F;
  std::vector<float> residual(kCount);
  for (std::uint64_t t = 0; t < 200; ++t) {
    auto g = random_floats(kCount, theta, t);
    g[0] = theta;
    g[1] = -theta;
    g[2] = 0.375F;  // steady, and no divisor of theta
    encoded(g, residual, theta);
    for (const float r : residual) REQUIRE(std::abs(r) < theta);
  }
}

TEST_CASE("2-bit codec: of a steady gradient above theta the residual grows by the difference") {
  const float theta = 0.5F;
  const std::vector<float> g{0.75F, -2};
  std::vector<float> residual(2);
  for (int step = 1; step <= 100; ++step) {
    const auto values = decoded(encoded(g, residual, theta), 2);
    CHECK(values == std::vector<float>{theta, -theta});
    CHECK(residual[0] == static_cast<float>(step) * 0.25F);
    CHECK(residual[1] == static_cast<float>(step) * -1.5F);
  }
}

TEST_CASE("2-bit codec: has no name on the command line, and does not write without a residual") {
  CHECK(codec_names().size() == static_cast<std::size_t>(Codec::kTwoBit));
  std::vector<std::byte> bytes(8);
  const std::vector<float> g{1};
  CHECK_THROWS_WITH_AS(
      encode(Codec::kTwoBit, g, bytes),
      "codec: got the 2-bit one without a residual, want another (see encode_two_bit)", Error);
}
