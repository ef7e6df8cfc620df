// EASGD, elastic averaging SGD (Zhang, Choromanska, LeCun, NIPS 2015), in its synchronous form.
//
//   worker i:  H steps on its own on x_i (local_steps.hpp), then, with the centre z^r,
//              push z^r - x_i;  x_i = x_i - a (x_i - z^r);  ask for z^{r+1}
//   server:    z^{r+1} = z^r + a sum_i (x_i - z^r), all with the old x_i: a step of length a M
//              against the mean of what is pushed (sgd_server.hpp)
//
// z is the model. Its clock counts rounds: between two of them z is that of the last. a M = 0.9 is
// usual; above 1 the centre overshoots the mean. x_i starts at z^0.
//
// Bytes per worker and step: 1/H of a model each way. Once in H steps it waits for a pull that was
// sent H steps ago: the exchange hides behind these.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "local_steps.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {
namespace {

class EasgdWorker final : public WorkerRule {
 public:
  EasgdWorker(const ParameterLayout& layout, const AlgorithmSettings& settings)
      : layout_(layout),
        alpha_(settings.elastic_alpha),
        steps_(layout, settings),
        centre_(layout.floats()),
        pulled_(layout.keys()) {}

  StepResult step(Worker& me, Clock t) override {
    ask_initial(me);
    const Clock round = steps_.rounds(t);
    const auto before_forward = [&](Key k) {
      if (t > 0) return;
      receive(me, k, 0);
      std::copy(centre(k).begin(), centre(k).end(), steps_.weights(k).begin());
    };
    const auto after_backward = [&](Key k) {
      steps_.step(me, k, t);
      if (steps_.ends_round(t)) exchange(me, k, round);
    };
    return me.compute_gradient(steps_.weights(), before_forward, after_backward);
  }

  std::span<const float> global_weights(Worker& me, Clock t) override {
    ask_initial(me);
    for (Key k = 0; k < layout_.keys(); ++k) receive(me, k, steps_.rounds(t));
    return centre_.span();
  }

 private:
  std::span<float> centre(Key k) { return layout_.slice(k, centre_.span()); }

  void ask_initial(Worker& me) {
    if (std::exchange(has_asked_, true)) return;
    for (Key k = 0; k < layout_.keys(); ++k) {
      pulled_[k] = me.pull(k, 0);
      me.receive_into(pulled_[k], centre(k));
    }
  }

  void receive(Worker& me, Key k, Clock round) {
    if (pulled_[k]) me.wait_exactly(k, pulled_[k], round, centre(k));
  }

  void exchange(Worker& me, Key k, Clock round) {
    receive(me, k, round);
    // The gradient is used up: the difference takes its place in what is pushed.
    const std::span<float> difference = me.gradient(k);
    const std::span<const float> z = centre(k);
    const std::span<float> x = steps_.weights(k);
    me.update_locally(k, [&] {
      for (std::size_t i = 0; i < x.size(); ++i) {
        difference[i] = z[i] - x[i];
        x[i] += alpha_ * difference[i];
      }
    });
    pulled_[k] = me.push_and_pull(k, round, round, round + 1);
    me.receive_into(pulled_[k], centre(k));
  }

  const ParameterLayout& layout_;
  float alpha_;
  LocalSteps steps_;
  AlignedBuffer<float> centre_;  // z^r
  std::vector<Ticket> pulled_;
  bool has_asked_ = false;
};

}  // namespace

Algorithm easgd() {
  return {.name = "easgd",
          .summary = "elastic averaging: every --local-steps steps workers and centre draw nearer",
          .has_local_update = true,
          .has_optimizer = false,
          .make_worker = [](const ParameterLayout& layout,
                            const AlgorithmSettings& settings) -> std::unique_ptr<WorkerRule> {
            return std::make_unique<EasgdWorker>(layout, settings);
          },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return make_sgd_server(
                    true, {.lr = settings.elastic_alpha * static_cast<float>(settings.workers)});
              },
          .describe =
              [](const AlgorithmSettings& s) {
                return fmt::format("exchange every {} steps, alpha {:g}", s.local_steps,
                                   s.elastic_alpha);
              }};
}

}  // namespace odsgd
