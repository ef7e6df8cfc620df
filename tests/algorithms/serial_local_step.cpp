#include "algorithms/serial_local_step.hpp"

#include <cmath>

namespace odsgd::test {
namespace {

/// The Euclidean norm over a key of f(i).
template <class F>
double norm(const Parameter& key, F f) {
  double squares = 0;
  for (std::size_t i = key.offset; i < key.offset + key.count; ++i) squares += f(i) * f(i);
  return std::sqrt(squares);
}

}  // namespace

SerialLocalStep::SerialLocalStep(const Quadratic& problem, const AlgorithmSettings& settings,
                                 Clock pull_every)
    : layout_(problem.layout),
      settings_(settings),
      pull_every_(pull_every),
      v_(problem.layout.floats()),
      MS_(problem.layout.floats()) {}

/// Delta: b - b of the step before, 0 at first, or b - w.
Doubles SerialLocalStep::displacement(const Doubles& b, const Doubles& w) {
  const bool from_gradient = settings_.dc_reference == DcReference::kCompute;
  const Doubles reference = from_gradient ? w : P_.empty() ? b : P_;
  P_ = b;
  Doubles delta(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) delta[i] = b[i] - reference[i];
  return delta;
}

/// The weights that were pulled last before the base of step t was, or W^0.
const Doubles& SerialLocalStep::pulled_before(Clock t, const std::vector<Doubles>& global) const {
  const Clock since_warmup = t - settings_.warmup_steps;
  if (since_warmup % pull_every_ != 0) return global[t - since_warmup % pull_every_];
  const Clock gap = since_warmup == 0 ? 1 : pull_every_;
  return global[t < gap ? 0 : t - gap];
}

void SerialLocalStep::step(Clock t, const std::vector<Doubles>& global, const Doubles& g,
                           Doubles& w) {
  const AlgorithmSettings& s = settings_;
  const Clock since_warmup = t - s.warmup_steps;
  const bool is_pulled = since_warmup % pull_every_ == 0;
  const double gap = since_warmup == 0 ? 1 : static_cast<double>(pull_every_);
  const Doubles b = is_pulled ? global[t] : w;
  const Doubles delta = displacement(b, w);
  const Doubles& pulled = pulled_before(t, global);
  const double scale =
      s.local_scale == LocalScale::kGlobal ? 1.0 / static_cast<double>(s.workers) : 1.0;
  Doubles own(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) own[i] = clipped_to(scale * g[i], s.clip_value);

  for (Key k = 0; k < layout_.keys(); ++k) {
    const Parameter& p = layout_[k];
    const double lr = s.local_lr.at(t) * serial_ratio(s, p, b, own);
    const double wd = p.decays ? s.weight_decay : 0.0F;
    const double g_norm = norm(p, [&](std::size_t i) { return own[i]; });
    const double term = norm(p, [&](std::size_t i) { return own[i] * own[i] * delta[i]; });
    for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
      const double plain = -lr * (own[i] + wd * b[i]);
      const double correction = own[i] * own[i] * delta[i];
      double u = 0;
      switch (s.local_rule) {
        case LocalRule::kNone:
          break;
        case LocalRule::kSgd:
          u = v_[i] = s.local_momentum * v_[i] + plain;
          break;
        case LocalRule::kDcC:
          u = plain - lr * s.lambda * correction;
          break;
        case LocalRule::kDcA:
          MS_[i] =
              s.mean_square_decay * MS_[i] + (1.0 - s.mean_square_decay) * own[i] * own[i] + 1e-7;
          u = plain - lr * s.lambda / std::sqrt(MS_[i]) * correction;
          break;
        case LocalRule::kDcNorm:
          u = plain - lr * s.lambda * g_norm / (term + 1e-8) * correction;
          break;
        case LocalRule::kMc: {
          const double velocity = is_pulled ? (b[i] - pulled[i]) / gap : v_[i];
          u = v_[i] = s.momentum * velocity + plain;
          break;
        }
        case LocalRule::kGlu: {
          // P is what was pulled before, and b itself when there was nothing.
          const double P = since_warmup == 0 ? b[i] : pulled[i];
          const double D = static_cast<double>(pull_every_) * lr;
          const double global_gradient = ((1 - lr * wd) * P - b[i]) / D;
          u = v_[i] = s.local_momentum * v_[i] -
                      lr * (s.glu_alpha * own[i] + wd * b[i] + s.glu_beta * global_gradient);
          break;
        }
      }
      w[i] = b[i] + u;
    }
  }
}

}  // namespace odsgd::test
