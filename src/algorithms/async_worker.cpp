#include "async_worker.hpp"

#include <utility>
#include <vector>

namespace odsgd {
namespace {

class AsyncWorker final : public WorkerRule {
 public:
  AsyncWorker(const ParameterLayout& layout, std::optional<Clock> bound)
      : layout_(layout), bound_(bound), weights_(layout.floats()), pulled_(layout.keys()) {}

  StepResult step(Worker& me, Clock t) override {
    if (!std::exchange(has_weights_, true)) {
      for (Key k = 0; k < layout_.keys(); ++k) {
        // Together: else one that comes late would find steps of the others in W^0.
        pulled_[k] = bound_ ? me.pull_together(k, 0) : me.pull(k, 0);
        me.receive_into(pulled_[k], layout_.slice(k, weights_.span()));
      }
    }
    const Clock steps_of_all = bound_ && t + 1 > *bound_ ? t + 1 - *bound_ : 0;
    return me.compute_gradient(
        weights_.span(), [&](Key k) { receive(me, k); },
        [&](Key k) {
          pulled_[k] = me.push_and_pull(k, t, std::nullopt, steps_of_all);
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
  std::optional<Clock> bound_;
  AlignedBuffer<float> weights_;
  bool has_weights_ = false;  // or has asked for them
  std::vector<Ticket> pulled_;
};

}  // namespace

std::unique_ptr<WorkerRule> make_async_worker(const ParameterLayout& layout,
                                              std::optional<Clock> bound) {
  return std::make_unique<AsyncWorker>(layout, bound);
}

}  // namespace odsgd
