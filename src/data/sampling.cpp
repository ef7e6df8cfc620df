#include "odsgd/data/sampling.hpp"

#include "odsgd/base/error.hpp"
#include "odsgd/base/random.hpp"

namespace odsgd {
namespace {

/// Streams of the generator that belong to sample orders; others use other bits.
constexpr std::uint64_t kOrderStream = std::uint64_t{1} << 32U;

void require_worker(int worker, int workers) {
  ODSGD_REQUIRE(worker >= 0 && worker < workers, "worker: got {} of {}, want 0 to {}", worker,
                workers, workers - 1);
}

}  // namespace

std::size_t steps_per_epoch(std::size_t samples, int batch_per_worker, int workers) {
  ODSGD_REQUIRE(batch_per_worker >= 1 && workers >= 1,
                "steps: got a batch of {} per worker and {} workers, want at least 1 of each",
                batch_per_worker, workers);
  const auto batch = static_cast<std::size_t>(batch_per_worker);
  const auto global_batch = batch * static_cast<std::size_t>(workers);
  ODSGD_REQUIRE(global_batch <= samples,
                "--batch-per-worker: got {}, which makes a global batch of {} with {} workers, "
                "want at most the {} training samples",
                batch_per_worker, global_batch, workers, samples);
  return samples / global_batch;
}

EpochOrder::EpochOrder(std::size_t samples, std::uint64_t seed, std::uint64_t epoch)
    : order_(permutation(samples, seed, kOrderStream + epoch)) {}

std::span<const std::uint32_t> EpochOrder::batch(std::size_t step, int worker, int workers,
                                                 int batch_per_worker) const {
  require_worker(worker, workers);
  const auto batch = static_cast<std::size_t>(batch_per_worker);
  const std::size_t number =
      step * static_cast<std::size_t>(workers) + static_cast<std::size_t>(worker);
  ODSGD_REQUIRE((number + 1) * batch <= order_.size(),
                "batch: step {} of worker {} is past the epoch's end", step, worker);
  return std::span(order_).subspan(number * batch, batch);
}

Range evaluation_range(std::size_t samples, int worker, int workers) {
  require_worker(worker, workers);
  const auto m = static_cast<std::size_t>(worker);
  const auto n = static_cast<std::size_t>(workers);
  return {samples * m / n, samples * (m + 1) / n};
}

}  // namespace odsgd
