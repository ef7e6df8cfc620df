#pragma once

#include <memory>
#include <span>
#include <vector>

#include "odsgd/compute/backend.hpp"

namespace odsgd {

/// What the backward of a layer gives, in plain memory.
struct PlainGradients {
  std::vector<float> dx;
  std::vector<float> weight;
  std::vector<float> bias;
};

/// Runs a backend's layer on plain, row-major host memory, whatever the layout and the memory of
/// the device are.
class OpOnPlainMemory {
 public:
  OpOnPlainMemory(Backend& backend, std::unique_ptr<LayerOp> op, const TensorShape& x,
                  const TensorShape& y);

  /// `weight` and `bias` may be empty.
  std::vector<float> forward(std::span<const float> x, std::span<const float> weight,
                             std::span<const float> bias);

  /// Of the last forward.
  PlainGradients backward(std::span<const float> dy, bool wants_dx = true);

 private:
  LayerWeights weights();

  Backend& backend_;
  std::unique_ptr<LayerOp> op_;
  std::unique_ptr<LayoutOp> x_layout_;
  std::unique_ptr<LayoutOp> y_layout_;
  Buffer x_;
  Buffer y_;
  Buffer dx_;
  Buffer dy_;
  std::vector<float> weight_;
  std::vector<float> bias_;
  Buffer weight_copy_;
  Buffer bias_copy_;
};

/// Compares backward with central differences of sum(dy * forward): the slope at every
/// `1 / checks`-th coordinate of x, of the weights and of the biases. `step` is the half width of
/// the difference; as large as the layer stays linear. Returns the greatest difference of a slope,
/// relative to the greatest slope of its array.
double finite_difference_error(OpOnPlainMemory& op, std::vector<float> x, std::vector<float> weight,
                               std::vector<float> bias, std::span<const float> dy, float step);

}  // namespace odsgd
