#pragma once

#include <cstddef>
#include <memory>

#include "device.hpp"
#include "odsgd/compute/layer_op.hpp"
#include "odsgd/compute/loss_op.hpp"

namespace odsgd::synthetic {

/// All that the pretend device knows of a layer.
struct LayerSize {
  const char* what = "";
  std::size_t x = 0;  ///< floats, as the next three
  std::size_t y = 0;
  std::size_t weight = 0;
  std::size_t bias = 0;
  double forward_flops = 0;
  bool works_in_place = false;
};

// The makers of ops, which keep a reference to the device.

/// Sleeps instead of computing. Activations stay as they are. Gradients are set to zero once and
/// then left alone: whoever writes into them finds that again.
std::unique_ptr<LayerOp> make_layer(Device& device, const LayerSize& size);

/// Carries nothing. A batch that comes in begins a step.
std::unique_ptr<LayoutOp> make_layout(Device& device, std::size_t floats);

/// Says log(classes), the loss of one who knows nothing, and 0 samples right. Throws Error when it
/// is to evaluate.
std::unique_ptr<LossOp> make_loss(const LossShape& shape);

}  // namespace odsgd::synthetic
