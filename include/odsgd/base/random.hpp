#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace odsgd {

/// A counter-based generator: value i of stream (seed, stream) is a function of the three numbers
/// and of nothing else.
///
/// So initial weights, the order of samples and injected delays come out the same on every rank,
/// for every number of threads, and from any position. The mixing function is SplitMix64 (Steele,
/// Lea, Flood, OOPSLA 2014).
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream);

  std::uint64_t bits(std::uint64_t i) const;                        ///< 64 uniform bits
  double uniform(std::uint64_t i) const;                            ///< uniform in [0, 1)
  std::uint64_t below(std::uint64_t i, std::uint64_t bound) const;  ///< uniform in [0, bound)

 private:
  std::uint64_t base_;
};

/// The numbers 0..count-1 in a random order that depends on (seed, stream) alone (Fisher-Yates).
std::vector<std::uint32_t> permutation(std::size_t count, std::uint64_t seed, std::uint64_t stream);

}  // namespace odsgd
