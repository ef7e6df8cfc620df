#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "odsgd/base/independent_iterations.hpp"

namespace odsgd {

// The arithmetic of a step on one float, once for servers and workers, so that where they should
// agree they agree in every bit.

/// g within [-limit, limit]; not-a-number stays.
inline float clipped(float g, float limit) { return std::min(std::max(g, -limit), limit); }

/// The velocity of momentum SGD in the form that OD-SGD's authors (and MXNet) use: V' = momentum V
/// - lr (g + decay w).
///
/// The learning rate is inside the velocity, so after a change of lr old velocity keeps its old lr;
/// PyTorch's form, where lr multiplies the velocity, differs then.
inline float sgd_velocity(float momentum, float velocity, float lr, float g, float decay, float w) {
  return momentum * velocity - lr * (g + decay * w);
}

/// What a step on a range of floats needs besides them.
struct SgdStep {
  float momentum = 0;
  float lr = 0;
  float decay = 0;
  float clip = std::numeric_limits<float>::infinity();
  bool is_nesterov = false;
};

/// Momentum SGD on n floats, with g clipped(scale g):
///   V = momentum V - lr (g + decay W),  updated = W + V
/// and in Nesterov's form, with the same V,
///   updated = W + momentum V - lr (g + decay W).
/// `updated` may be `w` itself.
template <bool kIsNesterov, class Gradient>
void sgd_step(const SgdStep& s, std::size_t n, Gradient g, float* v, const float* w,
              float* updated) {
  ODSGD_INDEPENDENT_ITERATIONS  // w and updated are the same memory or apart: no element is read
                                // after its write
      for (std::size_t i = 0; i < n; ++i) {
    const float gradient = clipped(g(i), s.clip);
    v[i] = sgd_velocity(s.momentum, v[i], s.lr, gradient, s.decay, w[i]);
    if constexpr (kIsNesterov) {
      updated[i] = w[i] + sgd_velocity(s.momentum, v[i], s.lr, gradient, s.decay, w[i]);
    } else {
      updated[i] = w[i] + v[i];
    }
  }
}

template <class Gradient>
void sgd_step(const SgdStep& s, std::size_t n, Gradient g, float* v, const float* w,
              float* updated) {
  s.is_nesterov ? sgd_step<true>(s, n, g, v, w, updated) : sgd_step<false>(s, n, g, v, w, updated);
}

}  // namespace odsgd
