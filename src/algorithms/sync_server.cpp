// The server half of SSGD and OD-SGD: momentum SGD on the mean of one round's M gradients.
//
//   V^{t+1} = momentum V^t - lr ( (1/M) sum_m g_m^t + decay W^t ),   W^{t+1} = W^t + V^{t+1}
//
// The sum runs in worker order whatever the order of arrival, so a run gives the same bits every
// time. One pass reads the M payloads, V and W, block by block, and writes V and the new W.
#include <algorithm>
#include <array>

#include "odsgd/algorithms/sgd_step.hpp"
#include "rules.hpp"

namespace odsgd {
namespace {

class SyncServerRule final : public ServerRule {
 public:
  SyncServerRule(std::size_t count, const AlgorithmSettings& settings)
      : settings_(settings), velocity_(count) {}

  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    constexpr std::size_t kBlock = 1024;  // its sums stay in the first-level cache
    std::array<float, kBlock> sums;
    const float scale = 1.0F / static_cast<float>(pushes.size());
    const SgdStep step{settings_.momentum, settings_.lr,
                       slice.decays ? settings_.weight_decay : 0.0F};
    for (std::size_t begin = 0; begin < updated.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, updated.size() - begin);
      const std::span<float> sum(sums.data(), n);
      decode(pushes[0].codec, pushes[0].body.bytes(), begin, sum);
      for (const Push& push : pushes.subspan(1)) {
        decode_add(push.codec, push.body.bytes(), begin, sum);
      }
      sgd_step(step, n, sum.data(), scale, velocity_.data() + begin, slice.weights.data() + begin,
               updated.data() + begin);
    }
  }

 private:
  AlgorithmSettings settings_;
  AlignedBuffer<float> velocity_;
};

}  // namespace

ServerHalf make_sync_server(const AlgorithmSettings& settings) {
  return {.takes_rounds = true, .make_rule = [=](std::size_t count) {
            return std::make_unique<SyncServerRule>(count, settings);
          }};
}

}  // namespace odsgd
