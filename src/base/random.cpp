#include "odsgd/base/random.hpp"

#include <numeric>
#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream)
    : base_(mix(mix(seed + kGolden) ^ (stream * kGolden + 1))) {}

std::uint64_t Random::bits(std::uint64_t i) const { return mix(base_ + (i + 1) * kGolden); }

double Random::uniform(std::uint64_t i) const {
  return static_cast<double>(bits(i) >> 11U) * 0x1.0p-53;
}

std::uint64_t Random::below(std::uint64_t i, std::uint64_t bound) const {
  // The high half of a 128-bit product: a bias of bound / 2^64, far below anything a run could
  // show.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits(i)) * bound) >> 64U);
}

std::vector<std::uint32_t> permutation(std::size_t count, std::uint64_t seed,
                                       std::uint64_t stream) {
  ODSGD_REQUIRE(count <= UINT32_MAX, "permutation: got {} elements, want at most {}", count,
                UINT32_MAX);
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  const Random random(seed, stream);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

}  // namespace odsgd
