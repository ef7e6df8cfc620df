#include "evaluate.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "odsgd/data/batch_stream.hpp"

namespace odsgd {

EvaluationSums evaluate(Network& network, const DatasetInfo& info, const Split& split,
                        std::span<const float> weights, Range range,
                        const std::function<void()>& before_batch) {
  const auto capacity = static_cast<std::size_t>(network.batch());
  Batch batch(info, capacity);
  std::vector<std::uint32_t> samples(capacity);
  EvaluationSums sums;
  for (std::size_t begin = range.begin; begin < range.end; begin += capacity) {
    if (before_batch) before_batch();
    const std::size_t count = std::min(capacity, range.end - begin);
    std::iota(samples.begin(), samples.end(), static_cast<std::uint32_t>(begin));
    fill_batch(info, split, std::span(samples).first(count), batch);
    sums += network.evaluate(weights, batch.images.span(), batch.labels, static_cast<int>(count));
  }
  return sums;
}

}  // namespace odsgd
