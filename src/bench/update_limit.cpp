#include "odsgd/bench/update_limit.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "odsgd/algorithms/registry.hpp"
#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {

Samples measure_update(std::size_t floats, std::size_t slice_floats, int workers, int repetitions) {
  std::vector<AlignedBuffer<float>> gradients;
  for (int m = 0; m < workers; ++m) gradients.emplace_back(floats);
  AlignedBuffer<float> weights(floats);
  const ServerHalf half = find_algorithm("ssgd").make_server({});
  std::vector<std::unique_ptr<ServerRule>> rules;
  for (std::size_t at = 0; at < floats; at += slice_floats) {
    rules.push_back(half.make_rule(std::min(slice_floats, floats - at)));
  }
  std::vector<Push> pushes(static_cast<std::size_t>(workers));
  Samples samples;
  for (int i = 0; i <= repetitions; ++i) {
    const double begin_s = now_s();
    for (std::size_t at = 0; at < floats; at += slice_floats) {
      const std::size_t n = std::min(slice_floats, floats - at);
      for (std::size_t m = 0; m < pushes.size(); ++m) {
        pushes[m].body = Payload(std::as_bytes(gradients[m].span().subspan(at, n)));
      }
      ServerSlice slice;
      slice.where.count = n;
      slice.weights = weights.span().subspan(at, n);
      rules[at / slice_floats]->update(slice, pushes, weights.span().subspan(at, n));
    }
    const double bytes = static_cast<double>(floats * sizeof(float)) * (workers + 4);
    if (i > 0) samples.values.push_back(bytes / (now_s() - begin_s));
  }
  return samples;
}

}  // namespace odsgd
