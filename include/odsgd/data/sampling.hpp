#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace odsgd {

/// Steps of one epoch, the same on all workers: floor(samples / global batch). The samples of the
/// last part of a batch are left out, other ones in each epoch. Throws Error when there is not one
/// whole global batch.
std::size_t steps_per_epoch(std::size_t samples, int batch_per_worker, int workers);

/// In which order the samples of an epoch are used: a function of (seed, epoch) alone.
class EpochOrder {
 public:
  EpochOrder(std::size_t samples, std::uint64_t seed, std::uint64_t epoch);

  /// The samples of one worker's step; those of other workers and steps are others.
  std::span<const std::uint32_t> batch(std::size_t step, int worker, int workers,
                                       int batch_per_worker) const;

 private:
  std::vector<std::uint32_t> order_;
};

/// Samples [begin, end).
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A worker's share of an evaluation: over all workers every sample once, also when there are more
/// workers than samples.
Range evaluation_range(std::size_t samples, int worker, int workers);

}  // namespace odsgd
