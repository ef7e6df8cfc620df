#include "ops.hpp"
#include "prepared.hpp"

namespace odsgd::cpu {
namespace {

using Forward = dnnl::pooling_forward;
using Backward = dnnl::pooling_backward;

struct Plan {
  Plan(const Context& context, const PoolingShape& s) {
    // Without padding the two kinds of average are one.
    const dnnl::algorithm kind = s.kind == PoolingKind::kMax
                                     ? dnnl::algorithm::pooling_max
                                     : dnnl::algorithm::pooling_avg_exclude_padding;
    const TensorShape y = s.y();
    const dnnl::memory::desc src = activations(s.x);
    const dnnl::memory::desc dst = activations(y);
    const dnnl::memory::dims strides{s.stride, s.stride};
    const dnnl::memory::dims window{s.kernel, s.kernel};
    const dnnl::memory::dims before{0, 0};
    // What the windows leave over at the end counts as negative padding.
    const dnnl::memory::dims behind{(y.h - 1) * s.stride + s.kernel - s.x.h,
                                    (y.w - 1) * s.stride + s.kernel - s.x.w};
    const dnnl::primitive_attr attributes = own_scratchpad();
    forward = {{dnnl::prop_kind::forward_training, kind, src, dst, strides, window, before, behind},
               attributes,
               context.engine};
    backward = {
        {kind, src, dst, strides, window, before, behind}, attributes, context.engine, forward};
  }

  Forward::primitive_desc forward;
  Backward::primitive_desc backward;
};

/// Max pooling remembers in the workspace which element of each window was the greatest.
class PoolingOp final : public LayerOp {
 public:
  PoolingOp(const Context& context, const PoolingShape& shape, const Plan& plan)
      : context_(context),
        shape_(shape),
        x_(movable(context, plan.forward.src_desc())),
        y_(movable(context, plan.forward.dst_desc())),
        workspace_(plan.forward.workspace_desc(), context.engine),
        forward_(context, "pooling forward", Forward(plan.forward), plan.forward.scratchpad_desc(),
                 {{DNNL_ARG_SRC, x_}, {DNNL_ARG_DST, y_}, {DNNL_ARG_WORKSPACE, workspace_}}),
        backward_(
            context, "pooling backward", Backward(plan.backward), plan.backward.scratchpad_desc(),
            {{DNNL_ARG_DIFF_DST, y_}, {DNNL_ARG_DIFF_SRC, x_}, {DNNL_ARG_WORKSPACE, workspace_}}) {}

  void forward(ConstView x, LayerWeights /*weights*/, View y) override {
    check_size("pooling: x", x.size(), shape_.x.floats());
    check_size("pooling: y", y.size(), shape_.y().floats());
    const Scope scope(context_);
    point(x_, x.data());
    point(y_, y.data());
    forward_.run();
  }

  void backward(ConstView /*x*/, ConstView /*y*/, ConstView dy, LayerWeights /*weights*/, View dx,
                LayerGradients /*gradients*/) override {
    if (dx.empty()) return;
    check_size("pooling: dx", dx.size(), shape_.x.floats());
    check_size("pooling: dy", dy.size(), shape_.y().floats());
    const Scope scope(context_);
    point(x_, dx.data());
    point(y_, dy.data());
    backward_.run();
  }

 private:
  const Context& context_;
  PoolingShape shape_;
  dnnl::memory x_;  // dx in backward
  dnnl::memory y_;  // dy in backward
  dnnl::memory workspace_;
  Prepared forward_;
  Prepared backward_;
};

}  // namespace

std::unique_ptr<LayerOp> make_pooling(const Context& context, const PoolingShape& shape) {
  ODSGD_REQUIRE(shape.kernel > 0 && shape.stride > 0,
                "pooling: got kernel {} and stride {}, want positive numbers", shape.kernel,
                shape.stride);
  ODSGD_REQUIRE(shape.y().floats() > 0, "pooling: got x {}, want room for kernel {}",
                shape.x.text(), shape.kernel);
  return std::make_unique<PoolingOp>(context, shape, Plan(context, shape));
}

}  // namespace odsgd::cpu
