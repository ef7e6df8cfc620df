#include "delayed_worker.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "odsgd/algorithms/local_update.hpp"
#include "odsgd/base/fifo.hpp"

namespace odsgd {
namespace {

constexpr Clock kNothing = ~Clock{0};  // before the first weights have come

AlgorithmSettings with_delay(AlgorithmSettings settings, const Delay& delay) {
  settings.delay_steps = delay.pull_every;
  return settings;
}

class DelayedWorker final : public WorkerRule {
 public:
  DelayedWorker(const ParameterLayout& layout, const AlgorithmSettings& settings, Delay delay)
      : layout_(layout),
        delay_(delay),
        warmup_(settings.warmup_steps),
        predicts_momentum_(settings.local_rule == LocalRule::kMc),
        update_(layout, with_delay(settings, delay)),
        w_(layout.floats()),
        newer_(layout.floats()),
        older_(update_.needs_previous() ? layout.floats() : 0),
        asked_(layout.keys()),
        clock_(layout.keys(), kNothing),
        is_due_(layout.keys()),
        base_(layout.keys()),
        previous_(layout.keys()) {
    for (Key k = 0; k < layout_.keys(); ++k) {
      base_[k] = layout_.slice(k, newer_.span());
      if (older_.size() > 0) previous_[k] = layout_.slice(k, older_.span());
    }
  }

  StepResult step(Worker& me, Clock t) override {
    if (t == 0) ask_initial(me);
    const bool is_fresh = t <= warmup_;  // w = W^t: the step before was warm-up, or there was none
    const auto before_forward = [&](Key k) {
      if (is_fresh) {
        receive(me, k, t);
        std::copy(base_[k].begin(), base_[k].end(), local(k).begin());
      } else {
        update_if_due(me, k, t);
      }
    };
    const auto after_backward = [&](Key k) {
      exchange(me, k, t);
      if (t < warmup_) receive_next(me, k);
      is_due_[k] = t >= warmup_;
      // What the next forward pass begins with is made at once where its base is there already:
      // then the next answer has a place to land.
      const bool has_base = !is_pulled(t) || clock_[k] == t || me.has_arrived(asked_[k].front());
      if (is_due_[k] && has_base) update_if_due(me, k, t + 1);
    };
    return me.compute_gradient(w_.span(), before_forward, after_backward);
  }

  std::span<const float> global_weights(Worker& me, Clock t) override {
    if (t == 0) ask_initial(me);
    for (Key k = 0; k < layout_.keys(); ++k) update_if_due(me, k, t);
    // Its gradients are used up now: W^t fits where they were.
    const std::span<float> together = me.used_gradient();
    if (is_pulled(t)) {
      for (Key k = 0; k < layout_.keys(); ++k) {
        receive(me, k, t);
        std::copy(base_[k].begin(), base_[k].end(), layout_.slice(k, together).begin());
      }
      return together;
    }
    std::vector<Ticket> tickets(layout_.keys());
    for (Key k = 0; k < layout_.keys(); ++k) tickets[k] = me.pull_together(k, t);
    for (Key k = 0; k < layout_.keys(); ++k) {
      me.wait_exactly(k, tickets[k], t, layout_.slice(k, together));
    }
    return together;
  }

 private:
  /// Whether the local update of step t starts from W^t, which step t - 1 has asked for then.
  bool is_pulled(Clock t) const { return t <= warmup_ || (t - warmup_) % delay_.pull_every == 0; }

  /// The clock of the global weights that w^t comes from.
  Clock base_clock(Clock t) const {
    if (t <= warmup_) return t;
    const Clock updates = t - 1 - warmup_;
    return warmup_ + updates - updates % delay_.pull_every;
  }

  void exchange(Worker& me, Key k, Clock t) {
    if (is_pulled(t + 1)) {
      asked_[k].push(me.push_and_pull(k, t, base_clock(t), t + 1, codec(t)));
    } else {
      me.push(k, t, base_clock(t), codec(t));
    }
  }

  /// Nothing: as all exact pushes are written.
  std::optional<Codec> codec(Clock t) const {
    if (t < warmup_ || (t + 1) % delay_.exact_every == 0) return std::nullopt;
    return Codec::kTwoBit;
  }

  void ask_initial(Worker& me) {
    for (Key k = 0; k < layout_.keys(); ++k) {
      if (clock_[k] != kNothing || !asked_[k].empty()) continue;
      asked_[k].push(me.pull(k, 0));
      receive_next(me, k);
    }
  }

  std::span<float> local(Key k) { return layout_.slice(k, w_.span()); }

  /// Makes W^t the base of the key and the base before its predecessor, unless that was done.
  void receive(Worker& me, Key k, Clock t) {
    if (clock_[k] == t) return;
    const std::span<float> into = next_base(k);
    Ticket ticket = asked_[k].pop();
    me.wait_exactly(k, ticket, t, into);
    clock_[k] = t;
    if (update_.needs_previous()) previous_[k] = std::exchange(base_[k], into);
  }

  /// Where the next weights go: where predecessors are kept the oldest make room, otherwise the
  /// present ones.
  std::span<float> next_base(Key k) { return update_.needs_previous() ? previous_[k] : base_[k]; }

  /// Lets the next answer be received at once: what it replaces is no longer needed.
  void receive_next(Worker& me, Key k) {
    if (!asked_[k].empty()) me.receive_into(asked_[k].front(), next_base(k));
  }

  /// The local update of step t - 1, if it is still to be done: its result is what step t begins
  /// with.
  void update_if_due(Worker& me, Key k, Clock t) {
    if (!is_due_[k]) return;
    if (is_pulled(t - 1)) receive(me, k, t - 1);
    me.update_locally(k, [&] { update(k, t - 1, me.gradient(k).data()); });
    is_due_[k] = false;
    receive_next(me, k);
  }

  void update(Key k, Clock t, const float* g) {
    float* w = local(k).data();
    float* base = base_[k].data();
    if (!is_pulled(t)) {
      // From w itself; what it was is kept where the base lies.
      float* keep = update_.follows_every_base() ? base : nullptr;
      update_.update(k, t, g,
                     {.base = w, .previous = base, .w = w, .keep = keep, .is_pulled = false});
      return;
    }
    // The servers' momentum shows from the second weights on, a displacement between two local
    // updates from the second of these on.
    const bool is_first = t == (predicts_momentum_ ? 0 : warmup_);
    const float* previous = is_first || older_.size() == 0 ? base : previous_[k].data();
    update_.update(
        k, t, g,
        {.base = base, .previous = previous, .w = w, .gap = t == warmup_ ? 1 : delay_.pull_every});
  }

  const ParameterLayout& layout_;
  Delay delay_;
  Clock warmup_;
  bool predicts_momentum_;
  LocalUpdate update_;
  AlignedBuffer<float> w_;           // w_i^t, what the passes run on
  AlignedBuffer<float> newer_;       // these two hold a base and the one before it, key by key
  AlignedBuffer<float> older_;       // either way round; only if the local update needs it
  std::vector<Fifo<Ticket>> asked_;  // per key: at most two, in order of clock
  std::vector<Clock> clock_;         // per key: of the weights that came last
  std::vector<bool> is_due_;         // per key: the local update of the last step
  std::vector<std::span<float>> base_;
  std::vector<std::span<float>> previous_;
};

}  // namespace

std::unique_ptr<WorkerRule> make_delayed_worker(const ParameterLayout& layout,
                                                const AlgorithmSettings& settings, Delay delay) {
  return std::make_unique<DelayedWorker>(layout, settings, delay);
}

}  // namespace odsgd
