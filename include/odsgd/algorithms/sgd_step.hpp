#pragma once

#include <cstddef>

namespace odsgd {

/// The velocity of momentum SGD in the form that OD-SGD's authors (and MXNet) use: V' = momentum V
/// - lr (g + decay w).
///
/// The learning rate is inside the velocity, so after a change of lr old velocity keeps its old lr;
/// PyTorch's form, where lr multiplies the velocity, differs then. Server and local updates share
/// this one expression, so that where they should agree they agree in every bit.
inline float sgd_velocity(float momentum, float velocity, float lr, float g, float decay, float w) {
  return momentum * velocity - lr * (g + decay * w);
}

/// What of the settings one slice's server step needs.
struct SgdStep {
  float momentum;
  float lr;
  float decay;
};

/// The server's step on n floats: V = momentum V - lr (scale g + decay W), and W + V to `updated`,
/// which may be `w` itself.
inline void sgd_step(const SgdStep& s, std::size_t n, const float* g, float scale, float* v,
                     const float* w, float* updated) {
#pragma GCC ivdep  // w and updated are the same memory or apart: no element is read after its write
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = sgd_velocity(s.momentum, v[i], s.lr, g[i] * scale, s.decay, w[i]);
    updated[i] = w[i] + v[i];
  }
}

}  // namespace odsgd
