// The server half of SSGD and OD-SGD: momentum SGD on the mean of one round's M gradients.
//
//   V^{t+1} = momentum V^t - lr ( (1/M) sum_m g_m^t + decay W^t ),   W^{t+1} = W^t + V^{t+1}
//
// The sum runs in worker order whatever the order of arrival, so a run gives the same bits every
// time. When the last push of a round is in, one pass reads the M payloads, V and W, block by
// block, and writes V and W.
#include <algorithm>
#include <array>
#include <vector>

#include "odsgd/algorithms/sgd_step.hpp"
#include "odsgd/base/error.hpp"
#include "rules.hpp"

namespace odsgd {
namespace {

class SyncServerRule final : public ServerRule {
 public:
  SyncServerRule(std::size_t count, const AlgorithmSettings& settings, int workers)
      : settings_(settings), velocity_(count), round_(static_cast<std::size_t>(workers)) {}

  bool on_push(const ServerSlice& slice, Push push) override {
    const auto m = static_cast<std::size_t>(push.worker);
    ODSGD_REQUIRE(push.step == slice.clock && !round_[m].payload,
                  "push from worker {}: got step {}{}, want one push of step {}", push.worker,
                  push.step, push.step == slice.clock ? " again" : "", slice.clock);
    round_[m] = std::move(push);
    if (++arrived_ < round_.size()) return false;
    update(slice);
    for (Push& done : round_) done.payload.reset();
    arrived_ = 0;
    return true;
  }

 private:
  void update(const ServerSlice& slice) {
    constexpr std::size_t kBlock = 1024;  // its sums stay in the first-level cache
    std::array<float, kBlock> sum;
    const float scale = 1.0F / static_cast<float>(round_.size());
    const float decay = slice.decays ? settings_.weight_decay : 0.0F;
    const std::size_t count = slice.weights.size();
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
      const std::size_t n = std::min(kBlock, count - begin);
      std::copy_n(round_[0].gradient.data() + begin, n, sum.data());
      for (std::size_t m = 1; m < round_.size(); ++m) {
        const float* g = round_[m].gradient.data() + begin;
        for (std::size_t i = 0; i < n; ++i) sum[i] += g[i];
      }
      float* v = velocity_.data() + begin;
      float* w = slice.weights.data() + begin;
      for (std::size_t i = 0; i < n; ++i) {
        v[i] = sgd_velocity(settings_.momentum, v[i], settings_.lr, sum[i] * scale, decay, w[i]);
        w[i] += v[i];
      }
    }
  }

  AlgorithmSettings settings_;
  AlignedBuffer<float> velocity_;
  std::vector<Push> round_;  // by worker; with a payload once it has arrived
  std::size_t arrived_ = 0;
};

}  // namespace

MakeServerRule make_sync_server(const AlgorithmSettings& settings, int workers) {
  return
      [=](std::size_t count) { return std::make_unique<SyncServerRule>(count, settings, workers); };
}

}  // namespace odsgd
