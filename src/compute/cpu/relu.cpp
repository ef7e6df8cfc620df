#include "ops.hpp"

namespace odsgd::cpu {
namespace {

/// y = max(x, 0); dx = dy where y > 0, else 0. Not-a-number passes through, so that it is seen.
class ReluOp final : public LayerOp {
 public:
  ReluOp(const Context& context, const TensorShape& shape)
      : context_(context), floats_(shape.floats()) {}

  bool works_in_place() const override { return true; }

  void forward(ConstView x, LayerWeights /*weights*/, View y) override {
    check_size("relu: x", x.size(), floats_);
    check_size("relu: y", y.size(), floats_);
    const Scope scope(context_);
    const float* from = x.data();
    float* to = y.data();
#pragma omp parallel for simd schedule(static) num_threads(context_.threads)
    for (std::size_t i = 0; i < floats_; ++i) to[i] = from[i] < 0.0F ? 0.0F : from[i];
  }

  void backward(ConstView /*x*/, ConstView y, ConstView dy, LayerWeights /*weights*/, View dx,
                LayerGradients /*gradients*/) override {
    if (dx.empty()) return;
    check_size("relu: y", y.size(), floats_);
    check_size("relu: dy", dy.size(), floats_);
    check_size("relu: dx", dx.size(), floats_);
    const Scope scope(context_);
    const float* at = y.data();
    const float* from = dy.data();
    float* to = dx.data();
#pragma omp parallel for simd schedule(static) num_threads(context_.threads)
    for (std::size_t i = 0; i < floats_; ++i) to[i] = at[i] > 0.0F ? from[i] : 0.0F;
  }

 private:
  const Context& context_;
  std::size_t floats_;
};

}  // namespace

std::unique_ptr<LayerOp> make_relu(const Context& context, const TensorShape& shape) {
  return std::make_unique<ReluOp>(context, shape);
}

}  // namespace odsgd::cpu
