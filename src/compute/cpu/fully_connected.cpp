#include <optional>

#include "ops.hpp"
#include "prepared.hpp"

namespace odsgd::cpu {
namespace {

using Forward = dnnl::inner_product_forward;
using BackwardData = dnnl::inner_product_backward_data;
using BackwardWeights = dnnl::inner_product_backward_weights;

/// Descriptors of the three primitives of a matrix product with bias.
struct Plan {
  Plan(const Context& context, const FullyConnectedShape& shape) {
    const auto inputs = static_cast<dnnl::memory::dim>(shape.x.sample_floats());
    const dnnl::memory::desc src = plain({shape.x.n, inputs});
    const dnnl::memory::desc dst = plain({shape.x.n, shape.outputs});
    const dnnl::memory::desc matrix = plain({shape.outputs, inputs});
    const dnnl::memory::desc bias = plain({shape.outputs});
    const dnnl::primitive_attr attributes = own_scratchpad();
    forward = {
        {dnnl::prop_kind::forward_training, src, matrix, bias, dst}, attributes, context.engine};
    data = {{src, matrix, dst}, attributes, context.engine, forward};
    weights = {{src, matrix, bias, dst}, attributes, context.engine, forward};
  }

  Forward::primitive_desc forward;
  BackwardData::primitive_desc data;
  BackwardWeights::primitive_desc weights;
};

/// Images as rows of (C*H*W) floats, the order of the weights' columns. It is the activations that
/// change their order, being far fewer than the weights. Where the orders agree nothing is copied.
class Rows {
 public:
  Rows(const Context& context, const TensorShape& shape)
      : rows_(movable(context, plain({shape.n, columns(shape)}))) {
    if (shape.c == 1 || shape.h * shape.w == 1) return;
    images_ = movable(context, activations(shape));
    const dnnl::memory copy(plain({shape.n, shape.c, shape.h, shape.w}), context.engine);
    point(rows_, static_cast<const float*>(copy.get_data_handle()));
    to_rows_.emplace(make_reorder(context, images_, copy));
    to_images_.emplace(make_reorder(context, copy, images_));
  }

  const dnnl::memory& memory() const { return rows_; }

  void bind(const float* images) { point(images_ ? images_ : rows_, images); }
  void load() const {
    if (to_rows_) to_rows_->run();
  }
  void store() const {
    if (to_images_) to_images_->run();
  }

 private:
  static dnnl::memory::dim columns(const TensorShape& shape) {
    return static_cast<dnnl::memory::dim>(shape.sample_floats());
  }

  dnnl::memory rows_;
  dnnl::memory images_;
  std::optional<Prepared> to_rows_;
  std::optional<Prepared> to_images_;
};

class FullyConnectedOp final : public LayerOp {
 public:
  FullyConnectedOp(const Context& context, const FullyConnectedShape& shape, const Plan& plan)
      : context_(context),
        shape_(shape),
        x_(context, shape.x),
        dx_(context, shape.x),
        y_(movable(context, plan.forward.dst_desc())),
        weight_(movable(context, plan.forward.weights_desc())),
        bias_(movable(context, plan.forward.bias_desc())),
        forward_(context, "fully connected forward", Forward(plan.forward),
                 plan.forward.scratchpad_desc(),
                 {{DNNL_ARG_SRC, x_.memory()},
                  {DNNL_ARG_WEIGHTS, weight_},
                  {DNNL_ARG_BIAS, bias_},
                  {DNNL_ARG_DST, y_}}),
        backward_data_(context, "fully connected backward, data", BackwardData(plan.data),
                       plan.data.scratchpad_desc(),
                       {{DNNL_ARG_DIFF_DST, y_},
                        {DNNL_ARG_WEIGHTS, weight_},
                        {DNNL_ARG_DIFF_SRC, dx_.memory()}}),
        backward_weights_(context, "fully connected backward, weights",
                          BackwardWeights(plan.weights), plan.weights.scratchpad_desc(),
                          {{DNNL_ARG_SRC, x_.memory()},
                           {DNNL_ARG_DIFF_DST, y_},
                           {DNNL_ARG_DIFF_WEIGHTS, weight_},
                           {DNNL_ARG_DIFF_BIAS, bias_}}) {}

  void forward(ConstView x, LayerWeights weights, View y) override {
    check_size("fully connected: x", x.size(), shape_.x.floats());
    check_size("fully connected: y", y.size(), shape_.y().floats());
    check_weights(weights.weight, weights.bias);
    const Scope scope(context_);
    x_.bind(x.data());
    x_.load();
    point(y_, y.data());
    point_weights(weights.weight, weights.bias);
    forward_.run();
  }

  void backward(ConstView x, ConstView /*y*/, ConstView dy, LayerWeights weights, View dx,
                LayerGradients gradients) override {
    check_size("fully connected: x", x.size(), shape_.x.floats());
    check_size("fully connected: dy", dy.size(), shape_.y().floats());
    check_weights(gradients.weight, gradients.bias);
    const Scope scope(context_);
    point(y_, dy.data());
    if (!dx.empty()) {
      check_size("fully connected: dx", dx.size(), shape_.x.floats());
      check_weights(weights.weight, weights.bias);
      dx_.bind(dx.data());
      point_weights(weights.weight, weights.bias);
      backward_data_.run();
      dx_.store();
    }
    x_.bind(x.data());  // its rows are those of forward
    point_weights(gradients.weight, gradients.bias);
    backward_weights_.run();
  }

 private:
  void check_weights(ConstView weight, ConstView bias) const {
    check_size("fully connected: weight", weight.size(), shape_.weight_floats());
    check_size("fully connected: bias", bias.size(), static_cast<std::size_t>(shape_.outputs));
  }

  void point_weights(ConstView weight, ConstView bias) {
    point(weight_, weight.data());
    point(bias_, bias.data());
  }

  const Context& context_;
  FullyConnectedShape shape_;
  Rows x_;
  Rows dx_;
  dnnl::memory y_;       // dy in backward
  dnnl::memory weight_;  // its gradient in backward_weights_
  dnnl::memory bias_;
  Prepared forward_;
  Prepared backward_data_;
  Prepared backward_weights_;
};

}  // namespace

std::unique_ptr<LayerOp> make_fully_connected(const Context& context,
                                              const FullyConnectedShape& shape) {
  ODSGD_REQUIRE(shape.outputs > 0 && shape.x.floats() > 0,
                "fully connected: got x {} and {} outputs, want positive numbers", shape.x.text(),
                shape.outputs);
  return std::make_unique<FullyConnectedOp>(context, shape, Plan(context, shape));
}

}  // namespace odsgd::cpu
