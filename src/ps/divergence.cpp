#include "odsgd/ps/divergence.hpp"

#include <vector>

#include "odsgd/base/finite.hpp"

namespace odsgd {

std::optional<Divergence> find_divergence(Key key, std::span<const Push> pushes,
                                          std::span<const float> updated) {
  if (are_finite(updated)) return std::nullopt;
  Divergence found{.step = pushes.front().step, .key = key, .value = first_not_finite(updated)};
  std::vector<float> gradient(updated.size());
  for (const Push& push : pushes) {
    if (push.workers > 1) continue;  // nobody knows whose it was
    decode(push.codec, push.body.bytes(), 0, gradient);
    if (are_finite(gradient)) continue;
    found.worker = push.worker;
    found.value = first_not_finite(gradient);
    break;
  }
  return found;
}

}  // namespace odsgd
