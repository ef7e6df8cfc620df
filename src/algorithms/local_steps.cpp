#include "local_steps.hpp"

#include "odsgd/algorithms/sgd_step.hpp"

namespace odsgd {

LocalSteps::LocalSteps(const ParameterLayout& layout, const AlgorithmSettings& settings)
    : layout_(layout),
      settings_(settings),
      every_(settings.local_steps),
      total_(settings.total_steps),
      w_(layout.floats()),
      velocity_(layout.floats()) {}

void LocalSteps::step(Worker& me, Key k, Clock t) {
  const float* g = me.gradient(k).data();
  float* w = weights(k).data();
  float* v = layout_.slice(k, velocity_.span()).data();
  const SgdStep step{.momentum = settings_.local_momentum,
                     .lr = settings_.local_lr.at(t),
                     .decay = layout_[k].decays ? settings_.weight_decay : 0.0F,
                     .clip = settings_.clip_value};
  me.update_locally(k, [&] {
    sgd_step(
        step, layout_[k].count, [g](std::size_t i) { return g[i]; }, v, w, w);
  });
}

}  // namespace odsgd
