// DC-S3GD: delay-compensated stale-synchronous SGD without servers (Rigazzi 2019, arXiv
// 1911.02516).
//
//   worker i, step t:  g = gradient at w^t;  D = W^t - w^t, with W^t waited for
//                      g~ = g + L g g D,  L = lambda |g| / (|g g D| + 1e-8): products elementwise,
//                      norms over the key;  push g~ and ask for W^{t+1}
//                      v = momentum v - lr (g~ + decay W^t),  w^{t+1} = W^t + v
//   server:            as SSGD, on the mean of the g~ (sgd_server.hpp)
//
// The paper sums the steps v of all workers. Their mean is the step by the mean g~ that is made
// here, as all begin at W^t with the same momentum; so it takes servers or replicas of them alike,
// and --exchange allreduce is the paper's exchange. With lambda 0 it is OD-SGD with the local rule
// sgd, without warm-up. OD-SGD with dc-norm compensates in its local update alone: it pushes g.
//
// Bytes per worker and step: one model each way. Before the push of a key in step t it waits for
// the pull that was sent with that key's push of step t-1: the exchange has a step to hide behind.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "odsgd/algorithms/norm.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "odsgd/algorithms/sgd_step.hpp"
#include "sgd_server.hpp"

namespace odsgd {
namespace {

constexpr double kNormEpsilon = 1e-8;

class DcS3gdWorker final : public WorkerRule {
 public:
  DcS3gdWorker(const ParameterLayout& layout, AlgorithmSettings settings)
      : layout_(layout),
        settings_(std::move(settings)),
        w_(layout.floats()),
        global_(layout.floats()),
        velocity_(layout.floats()),
        pulled_(layout.keys()) {}

  StepResult step(Worker& me, Clock t) override {
    if (t == 0) ask_initial(me);
    const auto before_forward = [&](Key k) {
      if (t > 0) return;
      receive(me, k, 0);
      std::copy(global(k).begin(), global(k).end(), local(k).begin());
    };
    const auto after_backward = [&](Key k) {
      receive(me, k, t);
      me.update_locally(k, [&] { compensate(k, me.gradient(k)); });
      pulled_[k] = me.push_and_pull(k, t, t == 0 ? 0 : t - 1, t + 1);
      me.update_locally(k, [&] { advance(k, t, me.gradient(k)); });
      me.receive_into(pulled_[k], global(k));
    };
    return me.compute_gradient(w_.span(), before_forward, after_backward);
  }

  std::span<const float> global_weights(Worker& me, Clock t) override {
    if (t == 0) ask_initial(me);
    for (Key k = 0; k < layout_.keys(); ++k) receive(me, k, t);
    return global_.span();
  }

 private:
  std::span<float> local(Key k) { return layout_.slice(k, w_.span()); }
  std::span<float> global(Key k) { return layout_.slice(k, global_.span()); }

  void ask_initial(Worker& me) {
    for (Key k = 0; k < layout_.keys(); ++k) {
      pulled_[k] = me.pull(k, 0);
      me.receive_into(pulled_[k], global(k));
    }
  }

  /// Makes W^t of the key the global weights, unless that was done.
  void receive(Worker& me, Key k, Clock t) {
    if (pulled_[k]) me.wait_exactly(k, pulled_[k], t, global(k));
  }

  /// g~ in place of g.
  void compensate(Key k, std::span<float> g) {
    const float* target = global(k).data();
    const float* w = local(k).data();
    const auto term = [=](std::size_t i) { return g[i] * g[i] * (target[i] - w[i]); };
    const double g_norm = std::sqrt(sum_of_squares(g.size(), [=](std::size_t i) { return g[i]; }));
    const double norm = std::sqrt(sum_of_squares(g.size(), term));
    const auto lambda = static_cast<float>(settings_.lambda * g_norm / (norm + kNormEpsilon));
    for (std::size_t i = 0; i < g.size(); ++i) g[i] += lambda * term(i);
  }

  void advance(Key k, Clock t, std::span<const float> g) {
    const SgdStep step{.momentum = settings_.momentum,
                       .lr = settings_.lr.at(t),
                       .decay = layout_[k].decays ? settings_.weight_decay : 0.0F,
                       .clip = settings_.clip_value};
    sgd_step(
        step, g.size(), [=](std::size_t i) { return g[i]; },
        layout_.slice(k, velocity_.span()).data(), global(k).data(), local(k).data());
  }

  const ParameterLayout& layout_;
  AlgorithmSettings settings_;
  AlignedBuffer<float> w_;         // w^t, what the passes run on
  AlignedBuffer<float> global_;    // W^t, from its arrival on
  AlignedBuffer<float> velocity_;  // v
  std::vector<Ticket> pulled_;
};

}  // namespace

Algorithm dc_s3gd() {
  return {
      .name = "dc-s3gd",
      .summary = "one-step-delay SGD that pushes delay-compensated gradients",
      .has_optimizer = false,
      .make_worker = [](const ParameterLayout& layout,
                        const AlgorithmSettings& settings) -> std::unique_ptr<WorkerRule> {
        return std::make_unique<DcS3gdWorker>(layout, settings);
      },
      .make_server =
          [](const AlgorithmSettings& settings) {
            return make_sgd_server(true, server_step_of(settings));
          },
      .describe = [](const AlgorithmSettings& s) { return fmt::format("lambda {:g}", s.lambda); }};
}

}  // namespace odsgd
