// The server half of ASGD: every push is applied at once, with one velocity for all workers.
//
//   V = momentum V - lr ( g_m + decay W ),   W = W + V
#include <algorithm>
#include <array>

#include "odsgd/algorithms/sgd_step.hpp"
#include "rules.hpp"

namespace odsgd {
namespace {

class AsyncServerRule final : public ServerRule {
 public:
  AsyncServerRule(std::size_t count, const AlgorithmSettings& settings)
      : settings_(settings), velocity_(count) {}

  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    constexpr std::size_t kBlock = 1024;
    std::array<float, kBlock> g;
    const SgdStep step{settings_.momentum, settings_.lr,
                       slice.decays ? settings_.weight_decay : 0.0F};
    const Push& push = pushes.front();
    for (std::size_t begin = 0; begin < updated.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, updated.size() - begin);
      decode(push.codec, push.body.bytes(), begin, std::span(g).first(n));
      sgd_step(step, n, g.data(), 1, velocity_.data() + begin, slice.weights.data() + begin,
               updated.data() + begin);
    }
  }

 private:
  AlgorithmSettings settings_;
  AlignedBuffer<float> velocity_;
};

}  // namespace

ServerHalf make_async_server(const AlgorithmSettings& settings) {
  return {.takes_rounds = false, .make_rule = [=](std::size_t count) {
            return std::make_unique<AsyncServerRule>(count, settings);
          }};
}

}  // namespace odsgd
