// Local SGD (Stich, ICLR 2019; as DiLoCo with outer momentum: Douillard et al., arXiv 2311.08105).
//
//   worker i:  H steps on its own from W^r (local_steps.hpp);  push D_i = W^r - w_i;
//              w_i = W^{r+1}, waited for
//   server:    D = (1/M) sum_i D_i;  V = M_o V - lr_o D,  W^{r+1} = W^r + M_o V - lr_o D
//              (sgd_server.hpp, Nesterov); with outer lr_o = 1 and momentum M_o = 0 the mean of w_i
//
// The global weights' clock counts rounds: between two of them W is that of the last.
// DiLoCo: outer lr 0.7, outer momentum 0.9, H about 500, with AdamW as the inner step.
//
// Bytes per worker and step: 1/H of a model each way. It waits for the pull once in H steps, less
// what the rest of backward and the forward pass of earlier layers cover.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "local_steps.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {
namespace {

class LocalSgdWorker final : public WorkerRule {
 public:
  LocalSgdWorker(const ParameterLayout& layout, const AlgorithmSettings& settings)
      : layout_(layout),
        steps_(layout, settings),
        global_(layout.floats()),
        pulled_(layout.keys()) {}

  StepResult step(Worker& me, Clock t) override {
    ask_initial(me);
    const Clock round = steps_.rounds(t);
    const auto after_backward = [&](Key k) {
      steps_.step(me, k, t);
      if (steps_.ends_round(t)) exchange(me, k, round);
    };
    return me.compute_gradient(
        steps_.weights(), [&](Key k) { receive(me, k, round); }, after_backward);
  }

  std::span<const float> global_weights(Worker& me, Clock t) override {
    ask_initial(me);
    for (Key k = 0; k < layout_.keys(); ++k) receive(me, k, steps_.rounds(t));
    return global_.span();
  }

 private:
  std::span<float> global(Key k) { return layout_.slice(k, global_.span()); }

  void ask_initial(Worker& me) {
    if (std::exchange(has_asked_, true)) return;
    for (Key k = 0; k < layout_.keys(); ++k) {
      pulled_[k] = me.pull(k, 0);
      me.receive_into(pulled_[k], global(k));
    }
  }

  /// Makes W^round the weights of the key, unless that was done.
  void receive(Worker& me, Key k, Clock round) {
    if (!pulled_[k]) return;
    me.wait_exactly(k, pulled_[k], round, global(k));
    std::copy(global(k).begin(), global(k).end(), steps_.weights(k).begin());
  }

  void exchange(Worker& me, Key k, Clock round) {
    // The gradient is used up: the difference takes its place in what is pushed.
    const std::span<float> difference = me.gradient(k);
    const std::span<const float> from = global(k);
    const std::span<const float> w = steps_.weights(k);
    for (std::size_t i = 0; i < w.size(); ++i) difference[i] = from[i] - w[i];
    pulled_[k] = me.push_and_pull(k, round, round, round + 1);
    me.receive_into(pulled_[k], global(k));
  }

  const ParameterLayout& layout_;
  LocalSteps steps_;
  AlignedBuffer<float> global_;  // W^r
  std::vector<Ticket> pulled_;
  bool has_asked_ = false;
};

}  // namespace

Algorithm local_sgd() {
  return {.name = "local-sgd",
          .summary = "local SGD: --local-steps steps on its own, then the mean of all weights",
          .has_local_update = true,
          .has_optimizer = false,
          .make_worker = [](const ParameterLayout& layout,
                            const AlgorithmSettings& settings) -> std::unique_ptr<WorkerRule> {
            return std::make_unique<LocalSgdWorker>(layout, settings);
          },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return make_sgd_server(true, {.lr = settings.outer_lr,
                                              .momentum = settings.outer_momentum,
                                              .optimizer = Optimizer::kNesterov});
              },
          .describe =
              [](const AlgorithmSettings& s) {
                return fmt::format("exchange every {} steps, outer lr {:g}, outer momentum {:g}",
                                   s.local_steps, s.outer_lr, s.outer_momentum);
              }};
}

}  // namespace odsgd
