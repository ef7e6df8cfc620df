#include "odsgd/algorithms/local_update.hpp"

#include <cmath>

#include "odsgd/algorithms/norm.hpp"
#include "odsgd/algorithms/sgd_step.hpp"
#include "odsgd/base/independent_iterations.hpp"

namespace odsgd {
namespace {

constexpr float kMeanSquareEpsilon = 1e-7F;
constexpr double kNormEpsilon = 1e-8;

bool has_state(const AlgorithmSettings& s) {
  switch (s.local_rule) {
    case LocalRule::kSgd:
    case LocalRule::kGlu:
    case LocalRule::kDcA:
      return true;
    case LocalRule::kMc:
      return s.delay_steps > 1;
    default:
      return false;
  }
}

bool is_compensated(LocalRule rule) {
  return rule == LocalRule::kDcC || rule == LocalRule::kDcA || rule == LocalRule::kDcNorm;
}

/// w = b + u(i, b) for each float, and b to `keep`.
template <class U>
void move(const LocalWeights& at, std::size_t n, U u) {
  const float* base = at.base;
  float* w = at.w;
  float* keep = at.keep;
  if (keep != nullptr) {
    ODSGD_INDEPENDENT_ITERATIONS  // ranges are the same memory or apart: no element is read after
                                  // its write
        for (std::size_t i = 0; i < n; ++i) {
      const float b = base[i];
      const float step = u(i, b);
      keep[i] = b;
      w[i] = b + step;
    }
    return;
  }
  ODSGD_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < n; ++i) {
    const float b = base[i];
    w[i] = b + u(i, b);
  }
}

/// The worker's gradient as its local update takes it.
struct Gradient {
  const float* g;
  float scale;
  float clip;
  float operator()(std::size_t i) const { return clipped(scale * g[i], clip); }
};

/// What an update of a key has besides its weights.
struct Numbers {
  std::size_t count;
  Gradient gradient;
  float lr;
  float decay;
  float* state;
};

/// v = m v - lr' (g + decay b),  u = v
template <class G>
void step_with_velocity(const LocalWeights& at, const Numbers& n, float momentum, G g) {
  float* v = n.state;
  move(at, n.count, [=, lr = n.lr, decay = n.decay](std::size_t i, float b) {
    return v[i] = sgd_velocity(momentum, v[i], lr, g(i), decay, b);
  });
}

/// u = m (b - p) / gap - lr' (g + decay b), and where there is state, v = u for the steps until the
/// next pull, which go on with it.
void predict_momentum(const LocalWeights& at, const Numbers& n, float momentum) {
  if (!at.is_pulled) {
    step_with_velocity(at, n, momentum, n.gradient);
    return;
  }
  const float* p = at.previous;
  const auto gap = static_cast<float>(at.gap);
  float* v = n.state;
  const auto u = [=, g = n.gradient, lr = n.lr, decay = n.decay](std::size_t i, float b) {
    return sgd_velocity(momentum, (b - p[i]) / gap, lr, g(i), decay, b);
  };
  if (v == nullptr) {
    move(at, n.count, u);
  } else {
    move(at, n.count, [=](std::size_t i, float b) { return v[i] = u(i, b); });
  }
}

/// As with a velocity, of alpha g + beta G; G = ((1 - lr' decay) p - b) / (k lr'), 0 where lr' is
/// 0.
void mix_in_global(const LocalWeights& at, const Numbers& n, const AlgorithmSettings& s) {
  const float* p = at.previous;
  const float* base = at.base;
  const float kept = 1 - n.lr * n.decay;
  const float length = static_cast<float>(s.delay_steps) * n.lr;
  const float alpha = s.glu_alpha;
  const float beta = length > 0 ? s.glu_beta : 0;
  const float divisor = length > 0 ? length : 1;
  step_with_velocity(at, n, s.local_momentum, [=, g = n.gradient](std::size_t i) {
    return alpha * g(i) + beta * ((kept * p[i] - base[i]) / divisor);
  });
}

/// u = -lr' (g + L g g D + decay b), with D = b - p or b - w^t.
void compensate(const LocalWeights& at, const Numbers& n, const AlgorithmSettings& s) {
  const float* base = at.base;
  const float* from = s.dc_reference == DcReference::kPrevGlobal ? at.previous : at.w;
  const Gradient gradient = n.gradient;
  const auto u = [=, lr = n.lr, decay = n.decay](float lambda, std::size_t i, float b) {
    const float g = gradient(i);
    return sgd_velocity(0, 0, lr, g + lambda * g * g * (b - from[i]), decay, b);
  };
  float lambda = s.lambda;
  if (s.local_rule == LocalRule::kDcA) {
    float* ms = n.state;
    const float d = s.mean_square_decay;
    move(at, n.count, [=](std::size_t i, float b) {
      const float g = gradient(i);
      ms[i] = d * ms[i] + (1 - d) * g * g + kMeanSquareEpsilon;
      return u(lambda / std::sqrt(ms[i]), i, b);
    });
    return;
  }
  if (s.local_rule == LocalRule::kDcNorm) {
    const double g_norm = std::sqrt(sum_of_squares(n.count, gradient));
    const double norm = std::sqrt(sum_of_squares(
        n.count, [=](std::size_t i) { return gradient(i) * gradient(i) * (base[i] - from[i]); }));
    lambda = static_cast<float>(lambda * g_norm / (norm + kNormEpsilon));
  }
  move(at, n.count, [=](std::size_t i, float b) { return u(lambda, i, b); });
}

}  // namespace

LocalUpdate::LocalUpdate(const ParameterLayout& layout, const AlgorithmSettings& settings)
    : layout_(layout),
      settings_(settings),
      scale_(settings.local_scale == LocalScale::kGlobal
                 ? 1.0F / static_cast<float>(settings.workers)
                 : 1.0F),
      state_(has_state(settings) ? layout.floats() : 0) {}

bool LocalUpdate::needs_previous() const {
  return settings_.local_rule == LocalRule::kMc || settings_.local_rule == LocalRule::kGlu ||
         follows_every_base();
}

bool LocalUpdate::follows_every_base() const {
  return is_compensated(settings_.local_rule) && settings_.dc_reference == DcReference::kPrevGlobal;
}

float LocalUpdate::rate(Key key, Clock t, const float* g, const float* base) const {
  const float lr = settings_.local_lr.at(t);
  const Parameter& p = layout_[key];
  if (settings_.optimizer != Optimizer::kLars || !p.decays) return lr;
  const Gradient gradient{g, scale_, settings_.clip_value};
  const double w_norm = std::sqrt(sum_of_squares(p.count, [=](std::size_t i) { return base[i]; }));
  const double g_norm = std::sqrt(sum_of_squares(p.count, gradient));
  return lr * lars_ratio(settings_.lars_trust, w_norm, g_norm, settings_.weight_decay);
}

void LocalUpdate::update(Key key, Clock t, const float* g, const LocalWeights& at) {
  const Parameter& parameter = layout_[key];
  const Numbers n{.count = parameter.count,
                  .gradient = {g, scale_, settings_.clip_value},
                  .lr = rate(key, t, g, at.base),
                  .decay = parameter.decays ? settings_.weight_decay : 0.0F,
                  .state = state_.size() > 0 ? layout_.slice(key, state_.span()).data() : nullptr};
  switch (settings_.local_rule) {
    case LocalRule::kNone:
      move(at, n.count, [](std::size_t, float) { return 0.0F; });
      return;
    case LocalRule::kSgd:
      step_with_velocity(at, n, settings_.local_momentum, n.gradient);
      return;
    case LocalRule::kMc:
      predict_momentum(at, n, settings_.momentum);
      return;
    case LocalRule::kGlu:
      mix_in_global(at, n, settings_);
      return;
    case LocalRule::kDcC:
    case LocalRule::kDcA:
    case LocalRule::kDcNorm:
      compensate(at, n, settings_);
      return;
  }
}

}  // namespace odsgd
