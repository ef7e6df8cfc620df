// SSGD, synchronous SGD, the baseline, exchanged layer by layer so that it is as fast as it can be.
//
//   worker i:  g_i^t = gradient at W^t;  push g_i^t and ask for W^{t+1};
//              wait for it before the next forward pass reads the key
//   server:    W^{t+1} by momentum SGD on the mean of the M gradients of round t (sgd_server.hpp)
//
// Bytes per worker and step: one model each way. It waits for every pull, less what the rest of
// backward and the forward pass of earlier layers cover.
#include <algorithm>
#include <vector>

#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {
namespace {

class SsgdWorker final : public WorkerRule {
 public:
  explicit SsgdWorker(const ParameterLayout& layout)
      : layout_(layout), weights_(layout.floats()), pulled_(layout.keys()) {}

  StepResult step(Worker& me, Clock t) override {
    if (t == 0) ask_initial(me);
    return me.compute_gradient(
        weights_.span(), [&](Key k) { receive(me, k, t); },
        [&](Key k) {
          pulled_[k] = me.push_and_pull(k, t, t, t + 1);
          me.receive_into(pulled_[k], layout_.slice(k, weights_.span()));
        });
  }

  std::span<const float> global_weights(Worker& me, Clock t) override {
    if (t == 0) ask_initial(me);
    for (Key k = 0; k < layout_.keys(); ++k) receive(me, k, t);
    return weights_.span();
  }

 private:
  void ask_initial(Worker& me) {
    for (Key k = 0; k < layout_.keys(); ++k) {
      pulled_[k] = me.pull(k, 0);
      me.receive_into(pulled_[k], layout_.slice(k, weights_.span()));
    }
  }

  /// Makes W^t of the key the weights, unless that was done.
  void receive(Worker& me, Key k, Clock t) {
    if (pulled_[k]) me.wait_exactly(k, pulled_[k], t, layout_.slice(k, weights_.span()));
  }

  const ParameterLayout& layout_;
  AlignedBuffer<float> weights_;
  std::vector<Ticket> pulled_;
};

}  // namespace

Algorithm ssgd() {
  return {.name = "ssgd",
          .summary = "synchronous SGD: every step waits for the mean of all workers' gradients",
          .make_worker = [](const ParameterLayout& layout, const AlgorithmSettings&)
              -> std::unique_ptr<WorkerRule> { return std::make_unique<SsgdWorker>(layout); },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return make_sgd_server(true, server_step_of(settings));
              }};
}

}  // namespace odsgd
