#include "odsgd/algorithms/local_update.hpp"

#include <cmath>

#include "odsgd/algorithms/norm.hpp"
#include "odsgd/algorithms/sgd_step.hpp"

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
#pragma GCC ivdep  // ranges are the same memory or apart: no element is read after its write
    for (std::size_t i = 0; i < n; ++i) {
      const float b = base[i];
      const float step = u(i, b);
      keep[i] = b;
      w[i] = b + step;
    }
    return;
  }
#pragma GCC ivdep
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
  const std::size_t n = parameter.count;
  const Gradient gradient{g, scale_, settings_.clip_value};
  const float lr = rate(key, t, g, at.base);
  const float decay = parameter.decays ? settings_.weight_decay : 0.0F;
  const float* p = at.previous;
  float* state = state_.size() > 0 ? layout_.slice(key, state_.span()).data() : nullptr;
  const bool from_previous = settings_.dc_reference == DcReference::kPrevGlobal;
  const float* reference = from_previous ? p : at.w;

  // -lr' (g^ + lambda g^ g^ D + decay b)
  const auto compensated = [=](float lambda, std::size_t i, float b) {
    const float own = gradient(i);
    return sgd_velocity(0, 0, lr, own + lambda * own * own * (b - reference[i]), decay, b);
  };
  switch (settings_.local_rule) {
    case LocalRule::kNone:
      move(at, n, [](std::size_t, float) { return 0.0F; });
      break;
    case LocalRule::kSgd: {
      const float momentum = settings_.local_momentum;
      move(at, n, [=](std::size_t i, float b) {
        return state[i] = sgd_velocity(momentum, state[i], lr, gradient(i), decay, b);
      });
      break;
    }
    case LocalRule::kDcC: {
      const float lambda = settings_.lambda;
      move(at, n, [=](std::size_t i, float b) { return compensated(lambda, i, b); });
      break;
    }
    case LocalRule::kDcA: {
      const float lambda = settings_.lambda;
      const float d = settings_.mean_square_decay;
      move(at, n, [=](std::size_t i, float b) {
        const float own = gradient(i);
        state[i] = d * state[i] + (1 - d) * own * own + kMeanSquareEpsilon;
        return compensated(lambda / std::sqrt(state[i]), i, b);
      });
      break;
    }
    case LocalRule::kDcNorm: {
      const float* base = at.base;
      const double g_norm = std::sqrt(sum_of_squares(n, gradient));
      const double term = std::sqrt(sum_of_squares(n, [=](std::size_t i) {
        const float own = gradient(i);
        return own * own * (base[i] - reference[i]);
      }));
      const auto lambda = static_cast<float>(settings_.lambda * g_norm / (term + kNormEpsilon));
      move(at, n, [=](std::size_t i, float b) { return compensated(lambda, i, b); });
      break;
    }
    case LocalRule::kMc: {
      const float momentum = settings_.momentum;
      const auto gap = static_cast<float>(at.gap);
      if (state == nullptr) {
        move(at, n, [=](std::size_t i, float b) {
          return sgd_velocity(momentum, b - p[i], lr, gradient(i), decay, b);
        });
      } else if (at.is_pulled) {
        move(at, n, [=](std::size_t i, float b) {
          const float velocity = (b - p[i]) / gap;
          return state[i] = sgd_velocity(momentum, velocity, lr, gradient(i), decay, b);
        });
      } else {
        move(at, n, [=](std::size_t i, float b) {
          return state[i] = sgd_velocity(momentum, state[i], lr, gradient(i), decay, b);
        });
      }
      break;
    }
    case LocalRule::kGlu: {
      const float momentum = settings_.local_momentum;
      const float alpha = settings_.glu_alpha;
      const float beta = settings_.glu_beta;
      const float kept = 1 - lr * decay;
      const float length = static_cast<float>(settings_.delay_steps) * lr;
      move(at, n, [=](std::size_t i, float b) {
        const float global = length > 0 ? (kept * p[i] - b) / length : 0;
        const float mixed = alpha * gradient(i) + beta * global;
        return state[i] = sgd_velocity(momentum, state[i], lr, mixed, decay, b);
      });
      break;
    }
  }
}

}  // namespace odsgd
