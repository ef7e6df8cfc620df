#pragma once

#include <span>

#include "odsgd/compute/shape.hpp"

namespace odsgd {

/// Learnable arrays of one layer, in their canonical order whatever the device prefers: weights
/// row-major as (outputs, inputs...), see the shapes; empty for a layer that has none.
struct LayerWeights {
  ConstView weight;
  ConstView bias;
};

struct LayerGradients {
  View weight;
  View bias;
};

/// A layer prepared for one device and fixed shapes: kernels chosen, scratch allocated; a call
/// allocates no arrays.
///
/// Activations (x, y, dx, dy) have the device's own layout, which depends on their shape alone, so
/// the output of one op is the input of the next; LayoutOp converts. Results are a function of the
/// arguments' values alone: same bits at any address, in any thread, in any process on one machine
/// with the same number of threads. Threads: one at a time, but not always the same; ops of
/// different backends run at the same time.
/// Throws Error when a view has the wrong size.
class LayerOp {
 public:
  virtual ~LayerOp() = default;

  virtual void forward(ConstView x, LayerWeights weights, View y) = 0;

  /// Overwrites dx and the gradients; backward of the last forward, whose x, and y for ReLU alone,
  /// must still hold. An empty dx is not computed. dy is left as it was unless dx is the same view.
  virtual void backward(ConstView x, ConstView y, ConstView dy, LayerWeights weights, View dx,
                        LayerGradients gradients) = 0;

  /// May y be the same view as x, and dx the same as dy?
  virtual bool works_in_place() const { return false; }
};

/// Carries activations between plain host memory, row-major (N, C, H, W), and the device's layout.
class LayoutOp {
 public:
  virtual ~LayoutOp() = default;

  virtual void from_plain(std::span<const float> host, View device) = 0;
  virtual void to_plain(ConstView device, std::span<float> host) = 0;
};

}  // namespace odsgd
