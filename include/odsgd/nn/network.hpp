#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "odsgd/base/function_ref.hpp"
#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/base/timeline.hpp"
#include "odsgd/base/types.hpp"
#include "odsgd/compute/backend.hpp"
#include "odsgd/compute/loss_op.hpp"
#include "odsgd/nn/model.hpp"

namespace odsgd {

/// Called by Network::forward_backward on its thread, once per key each; an empty one is not
/// called.
struct GradientHooks {
  /// Before the forward of the layer that owns the key first reads the key's weights, keys in
  /// ascending order; it may write these weights.
  FunctionRef<void(Key)> before_forward;

  /// Before backward first writes the key's gradient, keys in descending order.
  FunctionRef<void(Key)> before_backward;

  /// Once the key's gradient is final and its weights are no longer read in this step, keys in
  /// descending order (output layer first); it may overwrite both.
  FunctionRef<void(Key)> after_backward;
};

/// A model bound to a backend, for batches of one size, with memory for its activations.
///
/// Weights and gradients stay with the caller, in host memory, in the order of layout(); images are
/// (N, C, H, W), row-major. A step allocates no arrays. Results depend on the values of the
/// arguments alone. Threads: one at a time. The backend must outlive the network, and so must the
/// tracer, if there is one: then each layer's forward and backward is a span, without the hooks,
/// and so is the loss. Throws Error when a span has the wrong size or a label is outside the
/// classes.
class Network {
 public:
  Network(const ModelSpec& model, InputShape input, int classes, int batch, Backend& backend,
          const Tracer* tracer = nullptr, float label_smoothing = 0);
  ~Network();
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;

  const ParameterLayout& layout() const;
  int batch() const;

  /// Gradient of the mean loss of the batch, which it overwrites. Hooks may change weights as
  /// GradientHooks says, and nothing else may change them meanwhile.
  BatchResult forward_backward(std::span<const float> weights, std::span<const float> images,
                               std::span<const std::int32_t> labels, std::span<float> gradient,
                               const GradientHooks& hooks);

  /// Loss and accuracy over the first `count` samples; images hold a whole batch, the rest of
  /// which is computed and not counted, and labels at least `count`.
  EvaluationSums evaluate(std::span<const float> weights, std::span<const float> images,
                          std::span<const std::int32_t> labels, int count);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace odsgd
