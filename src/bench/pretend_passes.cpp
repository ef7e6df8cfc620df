#include "odsgd/bench/pretend_passes.hpp"

#include <utility>

namespace odsgd {
namespace {

constexpr double kForward = 1.0 / 3;

}  // namespace

PretendPasses::PretendPasses(const NetworkTable& table, const PretendCompute& compute,
                             std::uint64_t seed, SleepClock clock)
    : compute_(compute), time_(std::move(clock)), random_(seed, 0) {
  const double flops = table.forward_flops();
  Key key = 0;
  for (const LayerSize& layer : table.layers) {
    const auto next = static_cast<Key>(key + layer.arrays.size());
    layers_.push_back({key, next, flops > 0 ? layer.forward_flops / flops : 0});
    key = next;
  }
}

void PretendPasses::step(const KeyHooks& hooks) {
  const double u = 2 * random_.uniform(steps_++) - 1;
  const double step_s = compute_.step_s * (1 + compute_.jitter_percent / 100 * u);
  time_.begin_step(step_s);
  const auto before_forward = [&](const Layer& layer) {
    for (Key k = layer.first_key; k < layer.last_key; ++k) hooks.before_forward(k);
  };
  const auto after_backward = [&](const Layer& layer) {
    for (Key k = layer.last_key; k-- > layer.first_key;) {
      hooks.before_backward(k);
      hooks.after_backward(k);
    }
  };
  if (!compute_.by_layer) {
    for (const Layer& layer : layers_) before_forward(layer);
    time_.spend(step_s);
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) after_backward(*layer);
    return;
  }
  for (const Layer& layer : layers_) {
    before_forward(layer);
    time_.spend(step_s * kForward * layer.share);
  }
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    time_.spend(step_s * (1 - kForward) * layer->share);
    after_backward(*layer);
  }
}

}  // namespace odsgd
