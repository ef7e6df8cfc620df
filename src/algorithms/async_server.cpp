// The server half of ASGD: every push is applied at once, with one velocity for all workers.
//
//   V = momentum V - lr ( g_m + decay W ),   W = W + V
#include "odsgd/algorithms/sgd_step.hpp"
#include "rules.hpp"

namespace odsgd {
namespace {

class AsyncServerRule final : public ServerRule {
 public:
  AsyncServerRule(std::size_t count, const AlgorithmSettings& settings)
      : settings_(settings), velocity_(count) {}

  bool on_push(const ServerSlice& slice, Push push) override {
    const float decay = slice.decays ? settings_.weight_decay : 0.0F;
    const float* g = push.gradient.data();
    float* v = velocity_.data();
    float* w = slice.weights.data();
    for (std::size_t i = 0; i < slice.weights.size(); ++i) {
      v[i] = sgd_velocity(settings_.momentum, v[i], settings_.lr, g[i], decay, w[i]);
      w[i] += v[i];
    }
    return true;
  }

 private:
  AlgorithmSettings settings_;
  AlignedBuffer<float> velocity_;
};

}  // namespace

MakeServerRule make_async_server(const AlgorithmSettings& settings, int /*workers*/) {
  return [=](std::size_t count) { return std::make_unique<AsyncServerRule>(count, settings); };
}

}  // namespace odsgd
