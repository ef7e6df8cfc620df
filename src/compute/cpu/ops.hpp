#pragma once

#include <memory>

#include "context.hpp"
#include "odsgd/compute/layer_op.hpp"
#include "odsgd/compute/loss_op.hpp"
#include "odsgd/compute/shape.hpp"

/// The makers of the CPU backend's ops. An op keeps a reference to the context.
namespace odsgd::cpu {

std::unique_ptr<LayerOp> make_convolution(const Context& context, const ConvolutionShape& shape);
std::unique_ptr<LayerOp> make_fully_connected(const Context& context,
                                              const FullyConnectedShape& shape);
std::unique_ptr<LayerOp> make_pooling(const Context& context, const PoolingShape& shape);
std::unique_ptr<LayerOp> make_relu(const Context& context, const TensorShape& shape);
std::unique_ptr<LayoutOp> make_layout(const Context& context, const TensorShape& shape);
std::unique_ptr<LossOp> make_softmax_cross_entropy(const Context& context, const LossShape& shape);

}  // namespace odsgd::cpu
