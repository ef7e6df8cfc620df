// Asynchronous SGD (Dean et al., NIPS 2012), the other baseline.
//
//   worker:  g = gradient at w;  push g;  w = the newest weights, its own push included
//   server:  on each push at once  V = momentum V - lr (g + decay W),  W = W + V (async_server.cpp)
//
// Staleness: the updates by others between a worker's pull and the application of its push; M-1
// when all are equally fast. One epoch makes M times as many updates as SSGD's at the same learning
// rate. Bytes as SSGD; it waits for its own push and pull, and for nobody else.
#include <algorithm>
#include <utility>
#include <vector>

#include "odsgd/base/error.hpp"
#include "rules.hpp"

namespace odsgd {
namespace {

class AsgdWorker final : public WorkerRule {
 public:
  explicit AsgdWorker(const ParameterLayout& layout)
      : layout_(layout), weights_(layout.floats()), pulled_(layout.keys()) {}

  StepResult step(Worker& me, Clock t) override {
    if (!std::exchange(has_weights_, true)) {
      for (Key k = 0; k < layout_.keys(); ++k) {
        pulled_[k] = me.pull(k, 0);
        me.receive_into(pulled_[k], layout_.slice(k, weights_.span()));
      }
    }
    return me.compute_gradient(
        weights_.span(), [&](Key k) { receive(me, k); },
        [&](Key k) {
          pulled_[k] = me.push_and_pull(k, t, std::nullopt, 0);
          me.receive_into(pulled_[k], layout_.slice(k, weights_.span()));
        });
  }

  std::span<const float> global_weights(Worker& me, Clock t) override {
    // Every push is one update, so after t steps of all M workers the clock is M t; and there it
    // stays until all workers have asked.
    const Clock all = t * static_cast<Clock>(me.workers());
    for (Key k = 0; k < layout_.keys(); ++k) {
      receive(me, k);
      pulled_[k] = me.pull_together(k, t);
    }
    for (Key k = 0; k < layout_.keys(); ++k) {
      me.wait_exactly(k, pulled_[k], all, layout_.slice(k, weights_.span()));
    }
    has_weights_ = true;
    return weights_.span();
  }

 private:
  void receive(Worker& me, Key k) {
    if (pulled_[k]) me.wait(k, pulled_[k], layout_.slice(k, weights_.span()));
  }

  const ParameterLayout& layout_;
  AlignedBuffer<float> weights_;
  bool has_weights_ = false;  // or has asked for them
  std::vector<Ticket> pulled_;
};

}  // namespace

std::unique_ptr<WorkerRule> make_asgd_worker(const ParameterLayout& layout,
                                             const AlgorithmSettings& /*settings*/) {
  return std::make_unique<AsgdWorker>(layout);
}

}  // namespace odsgd
