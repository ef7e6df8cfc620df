#pragma once

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

}  // namespace odsgd
