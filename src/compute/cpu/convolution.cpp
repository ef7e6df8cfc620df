#include "ops.hpp"
#include "prepared.hpp"

namespace odsgd::cpu {
namespace {

using Forward = dnnl::convolution_forward;
using BackwardData = dnnl::convolution_backward_data;
using BackwardWeights = dnnl::convolution_backward_weights;

// Always the direct algorithm: it needs no timing at start, which could choose differently on two
// ranks and so give different bits, and it rounds less than Winograd's.
constexpr dnnl::algorithm kDirect = dnnl::algorithm::convolution_direct;

/// Descriptors of the three primitives of a convolution.
struct Plan {
  Plan(const Context& context, const ConvolutionShape& s) {
    const TensorShape y = s.y();
    const dnnl::memory::desc src = activations(s.x);
    const dnnl::memory::desc dst = activations(y);
    const dnnl::memory::desc kernels = any_layout({s.channels, s.x.c, s.kernel, s.kernel});
    const dnnl::memory::desc bias = plain({s.channels});
    const dnnl::memory::dims strides{s.stride, s.stride};
    const dnnl::memory::dims before{s.padding, s.padding};
    // What the windows leave over at the end counts as negative padding.
    const auto after = [&](int input, int output) {
      return (output - 1) * s.stride + s.kernel - input - s.padding;
    };
    const dnnl::memory::dims behind{after(s.x.h, y.h), after(s.x.w, y.w)};
    const dnnl::primitive_attr attributes = own_scratchpad();
    forward = {{dnnl::prop_kind::forward_training, kDirect, src, kernels, bias, dst, strides,
                before, behind},
               attributes,
               context.engine};
    data = {
        {kDirect, src, kernels, dst, strides, before, behind}, attributes, context.engine, forward};
    weights = {{kDirect, src, kernels, bias, dst, strides, before, behind},
               attributes,
               context.engine,
               forward};
  }

  Forward::primitive_desc forward;
  BackwardData::primitive_desc data;
  BackwardWeights::primitive_desc weights;
};

class ConvolutionOp final : public LayerOp {
 public:
  ConvolutionOp(const Context& context, const ConvolutionShape& shape, const Plan& plan)
      : context_(context),
        shape_(shape),
        x_(movable(context, plan.forward.src_desc())),
        dx_(movable(context, plan.data.diff_src_desc())),
        y_(movable(context, plan.forward.dst_desc())),
        bias_(movable(context, plan.forward.bias_desc())),
        forward_weight_(context, canonical(), plan.forward.weights_desc()),
        backward_weight_(context, canonical(), plan.data.weights_desc()),
        weight_gradient_(context, canonical(), plan.weights.diff_weights_desc()),
        forward_(context, "convolution forward", Forward(plan.forward),
                 plan.forward.scratchpad_desc(),
                 {{DNNL_ARG_SRC, x_},
                  {DNNL_ARG_WEIGHTS, forward_weight_.inside()},
                  {DNNL_ARG_BIAS, bias_},
                  {DNNL_ARG_DST, y_}}),
        backward_data_(context, "convolution backward, data", BackwardData(plan.data),
                       plan.data.scratchpad_desc(),
                       {{DNNL_ARG_DIFF_DST, y_},
                        {DNNL_ARG_WEIGHTS, backward_weight_.inside()},
                        {DNNL_ARG_DIFF_SRC, dx_}}),
        backward_weights_(context, "convolution backward, weights", BackwardWeights(plan.weights),
                          plan.weights.scratchpad_desc(),
                          {{DNNL_ARG_SRC, x_},
                           {DNNL_ARG_DIFF_DST, y_},
                           {DNNL_ARG_DIFF_WEIGHTS, weight_gradient_.inside()},
                           {DNNL_ARG_DIFF_BIAS, bias_}}) {}

  void forward(ConstView x, LayerWeights weights, View y) override {
    check_size("convolution: x", x.size(), shape_.x.floats());
    check_size("convolution: y", y.size(), shape_.y().floats());
    check_weights(weights.weight, weights.bias);
    const Scope scope(context_);
    point(x_, x.data());
    point(y_, y.data());
    point(bias_, weights.bias.data());
    forward_weight_.bind(weights.weight.data());
    forward_weight_.load();
    forward_.run();
  }

  void backward(ConstView x, ConstView /*y*/, ConstView dy, LayerWeights weights, View dx,
                LayerGradients gradients) override {
    check_size("convolution: x", x.size(), shape_.x.floats());
    check_size("convolution: dy", dy.size(), shape_.y().floats());
    check_weights(gradients.weight, gradients.bias);
    const Scope scope(context_);
    point(y_, dy.data());
    if (!dx.empty()) {
      check_size("convolution: dx", dx.size(), shape_.x.floats());
      check_weights(weights.weight, weights.bias);
      point(dx_, dx.data());
      backward_weight_.bind(weights.weight.data());
      backward_weight_.load();
      backward_data_.run();
    }
    point(x_, x.data());
    point(bias_, gradients.bias.data());
    weight_gradient_.bind(gradients.weight.data());
    backward_weights_.run();
    weight_gradient_.store();
  }

 private:
  dnnl::memory::desc canonical() const {
    return plain({shape_.channels, shape_.x.c, shape_.kernel, shape_.kernel});
  }

  void check_weights(ConstView weight, ConstView bias) const {
    check_size("convolution: weight", weight.size(), shape_.weight_floats());
    check_size("convolution: bias", bias.size(), static_cast<std::size_t>(shape_.channels));
  }

  const Context& context_;
  ConvolutionShape shape_;
  dnnl::memory x_;
  dnnl::memory dx_;
  dnnl::memory y_;     // dy in backward
  dnnl::memory bias_;  // its gradient in backward
  Adapter forward_weight_;
  Adapter backward_weight_;
  Adapter weight_gradient_;
  Prepared forward_;
  Prepared backward_data_;
  Prepared backward_weights_;
};

}  // namespace

std::unique_ptr<LayerOp> make_convolution(const Context& context, const ConvolutionShape& shape) {
  ODSGD_REQUIRE(shape.channels > 0 && shape.kernel > 0 && shape.stride > 0 && shape.padding >= 0,
                "convolution: got {} channels, kernel {}, stride {}, padding {}, want positive "
                "numbers (padding may be 0)",
                shape.channels, shape.kernel, shape.stride, shape.padding);
  ODSGD_REQUIRE(shape.y().floats() > 0,
                "convolution: got x {}, want room for kernel {} with "
                "padding {}",
                shape.x.text(), shape.kernel, shape.padding);
  return std::make_unique<ConvolutionOp>(context, shape, Plan(context, shape));
}

}  // namespace odsgd::cpu
