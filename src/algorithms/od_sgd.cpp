// OD-SGD: one-step-delay SGD (Xu, Dong, Xu, Liao, ACM TACO 2020, arXiv 2005.06728).
//
//   worker i, step t:  w_i^t = W^{t-1} + u_i^{t-1}, key by key: behind the gradient g_i^{t-1} if
//                      W^{t-1}, asked for at step t-2, is there by then, or else before the forward
//                      pass reads the key
//                      g_i^t = gradient at w_i^t
//                      push g_i^t and ask for W^{t+1}, as backward finishes each key
//   in warm-up, t <= T_w, as SSGD:  w_i^t = W^t, waited for
//   server:            as SSGD (sync_server.cpp)
//
// The local update u, from the worker's own gradient g, with b = W^t, local learning rate lr' and
// local momentum m':
//   none   u = 0
//   sgd    v = m' v - lr' (g + decay b),  u = v;  v starts at 0 when warm-up ends
//   mc     u = m (W^t - W^{t-1}) - lr' (g + decay b),  W^{-1} = W^0
// With lr' = lr, mc is the server's step with the worker's own gradient in place of the mean, so it
// keeps SSGD's range of stable learning rates under server momentum m.
//
// Bytes per worker and step: one model each way, as SSGD. It waits, before the forward pass of step
// t reads a key and no earlier, for a pull that was sent in the backward pass of step t-2: exchange
// and server update have the whole of step t-1 to hide behind, and the push of step t-1 may be
// under way together with the answer of step t-2.
#include <algorithm>
#include <utility>
#include <vector>

#include "odsgd/algorithms/sgd_step.hpp"
#include "odsgd/base/fifo.hpp"
#include "rules.hpp"

namespace odsgd {
namespace {

constexpr Clock kNothing = ~Clock{0};  // before the first weights have come

class OdSgdWorker final : public WorkerRule {
 public:
  OdSgdWorker(const ParameterLayout& layout, const AlgorithmSettings& settings)
      : layout_(layout),
        settings_(settings),
        w_(layout.floats()),
        newer_(layout.floats()),
        older_(settings.local_rule == LocalRule::kMc ? layout.floats() : 0),
        velocity_(settings.local_rule == LocalRule::kSgd ? layout.floats() : 0),
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
    const Clock warmup = settings_.warmup_steps;
    const bool is_fresh = t <= warmup;  // w = W^t: the step before was warm-up, or there was none
    const auto before_forward = [&](Key k) {
      if (is_fresh) {
        receive(me, k, t);
        std::copy(base_[k].begin(), base_[k].end(), local(k).begin());
      } else {
        update_if_due(me, k, t);
      }
    };
    const auto after_backward = [&](Key k) {
      asked_[k].push(me.push_and_pull(k, t, is_fresh ? t : t - 1, t + 1));
      if (t < warmup) receive_next(me, k);
      is_due_[k] = t >= warmup;
      // What the next forward pass begins with is made at once where W^t is there already: then the
      // next answer has a place to land.
      const bool has_base = clock_[k] == t || me.has_arrived(asked_[k].front());
      if (is_due_[k] && has_base) update_if_due(me, k, t + 1);
    };
    return me.compute_gradient(w_.span(), before_forward, after_backward);
  }

  std::span<const float> global_weights(Worker& me, Clock t) override {
    if (t == 0) ask_initial(me);
    for (Key k = 0; k < layout_.keys(); ++k) {
      update_if_due(me, k, t);
      receive(me, k, t);
    }
    // W^t is scattered over two buffers. Its gradients are used up now: it fits where they were.
    const std::span<float> together = me.used_gradient();
    for (Key k = 0; k < layout_.keys(); ++k) {
      std::copy(base_[k].begin(), base_[k].end(), layout_.slice(k, together).begin());
    }
    return together;
  }

 private:
  void ask_initial(Worker& me) {
    for (Key k = 0; k < layout_.keys(); ++k) {
      if (clock_[k] != kNothing || !asked_[k].empty()) continue;
      asked_[k].push(me.pull(k, 0));
      receive_next(me, k);
    }
  }

  std::span<float> local(Key k) { return layout_.slice(k, w_.span()); }

  /// Makes W^t the base of the key and W^{t-1} its predecessor, unless that was done.
  void receive(Worker& me, Key k, Clock t) {
    if (clock_[k] == t) return;
    const std::span<float> into = next_base(k);
    Ticket ticket = asked_[k].pop();
    me.wait_exactly(k, ticket, t, into);
    clock_[k] = t;
    if (settings_.local_rule != LocalRule::kMc) return;
    previous_[k] = std::exchange(base_[k], into);
    if (t == 0) std::copy(base_[k].begin(), base_[k].end(), previous_[k].begin());
  }

  /// Where the next weights go: with mc the oldest that are kept make room, otherwise the present
  /// ones.
  std::span<float> next_base(Key k) {
    return settings_.local_rule == LocalRule::kMc ? previous_[k] : base_[k];
  }

  /// Lets the next answer be received at once: what it replaces is no longer needed.
  void receive_next(Worker& me, Key k) {
    if (!asked_[k].empty()) me.receive_into(asked_[k].front(), next_base(k));
  }

  /// The local update of step t-1, if it is still to be done: its result is what step t begins
  /// with.
  void update_if_due(Worker& me, Key k, Clock t) {
    if (!is_due_[k]) return;
    receive(me, k, t - 1);
    me.update_locally(k, [&] { update(k, me.gradient(k)); });
    is_due_[k] = false;
    receive_next(me, k);
  }

  /// w = W^t + u.
  void update(Key k, std::span<const float> g) {
    const float* b = base_[k].data();
    float* w = local(k).data();
    const std::size_t n = g.size();
    const float lr = settings_.local_lr;
    const float decay = layout_[k].decays ? settings_.weight_decay : 0.0F;
    switch (settings_.local_rule) {
      case LocalRule::kNone:
        std::copy_n(b, n, w);
        break;
      case LocalRule::kSgd: {
        const float momentum = settings_.local_momentum;
        float* v = layout_.slice(k, velocity_.span()).data();
        for (std::size_t i = 0; i < n; ++i) {
          v[i] = sgd_velocity(momentum, v[i], lr, g[i], decay, b[i]);
          w[i] = b[i] + v[i];
        }
        break;
      }
      case LocalRule::kMc: {
        const float momentum = settings_.momentum;
        const float* p = previous_[k].data();
        for (std::size_t i = 0; i < n; ++i) {
          w[i] = b[i] + sgd_velocity(momentum, b[i] - p[i], lr, g[i], decay, b[i]);
        }
        break;
      }
    }
  }

  const ParameterLayout& layout_;
  AlgorithmSettings settings_;
  AlignedBuffer<float> w_;           // w_i^t, what the passes run on
  AlignedBuffer<float> newer_;       // these two hold W^t and W^{t-1}, key by key either way round
  AlignedBuffer<float> older_;       // mc only
  AlignedBuffer<float> velocity_;    // sgd only
  std::vector<Fifo<Ticket>> asked_;  // per key: at most two, in order of clock
  std::vector<Clock> clock_;         // per key: of the base
  std::vector<bool> is_due_;         // per key: the local update of the last step
  std::vector<std::span<float>> base_;
  std::vector<std::span<float>> previous_;
};

}  // namespace

std::unique_ptr<WorkerRule> make_od_sgd_worker(const ParameterLayout& layout,
                                               const AlgorithmSettings& settings) {
  return std::make_unique<OdSgdWorker>(layout, settings);
}

}  // namespace odsgd
