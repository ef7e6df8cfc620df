#include "ops.hpp"

#include <algorithm>
#include <cmath>

#include "odsgd/base/error.hpp"

namespace odsgd::synthetic {
namespace {

void check_size(const char* layer, const char* what, std::size_t got, std::size_t want) {
  ODSGD_REQUIRE(got == want, "{}: {}: got {} floats, want {}", layer, what, got, want);
}

class Layer final : public LayerOp {
 public:
  Layer(Device& device, const LayerSize& size) : device_(device), size_(size) {
    device.add_layer(size.forward_flops);
  }

  bool works_in_place() const override { return size_.works_in_place; }

  void forward(ConstView x, LayerWeights weights, View y) override {
    check_size(size_.what, "x", x.size(), size_.x);
    check_size(size_.what, "y", y.size(), size_.y);
    check_size(size_.what, "weight", weights.weight.size(), size_.weight);
    check_size(size_.what, "bias", weights.bias.size(), size_.bias);
    device_.compute(size_.forward_flops);
  }

  void backward(ConstView /*x*/, ConstView /*y*/, ConstView dy, LayerWeights /*weights*/, View dx,
                LayerGradients gradients) override {
    check_size(size_.what, "dy", dy.size(), size_.y);
    if (!dx.empty()) check_size(size_.what, "dx", dx.size(), size_.x);
    check_size(size_.what, "weight", gradients.weight.size(), size_.weight);
    check_size(size_.what, "bias", gradients.bias.size(), size_.bias);
    clear_once(gradients.weight, cleared_weight_);
    clear_once(gradients.bias, cleared_bias_);
    device_.compute((dx.empty() ? 1 : 2) * size_.forward_flops);
  }

 private:
  static void clear_once(View gradient, const float*& cleared) {
    if (gradient.data() == cleared) return;
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    cleared = gradient.data();
  }

  Device& device_;
  LayerSize size_;
  const float* cleared_weight_ = nullptr;  // where the gradient lay that was set to zero last
  const float* cleared_bias_ = nullptr;
};

class Layout final : public LayoutOp {
 public:
  Layout(Device& device, std::size_t floats) : device_(device), floats_(floats) {}

  void from_plain(std::span<const float> host, View device) override {
    check(host, device);
    device_.begin_step();
  }

  void to_plain(ConstView device, std::span<float> host) override {
    check(host, device);
    std::fill(host.begin(), host.end(), 0.0F);
  }

 private:
  void check(ConstView host, ConstView device) const {
    check_size("layout", "host", host.size(), floats_);
    check_size("layout", "device", device.size(), floats_);
  }

  Device& device_;
  std::size_t floats_;
};

class Loss final : public LossOp {
 public:
  Loss(int batch, int classes)
      : batch_(static_cast<std::size_t>(batch)), classes_(static_cast<std::size_t>(classes)) {}

  BatchResult train(ConstView z, std::span<const std::int32_t> labels, View dz) override {
    check_size("softmax", "z", z.size(), batch_ * classes_);
    check_size("softmax", "dz", dz.size(), batch_ * classes_);
    ODSGD_REQUIRE(labels.size() == batch_, "softmax: got {} labels, want {}", labels.size(),
                  batch_);
    return {.loss = std::log(static_cast<double>(classes_)), .correct = 0};
  }

  EvaluationSums evaluate(ConstView /*z*/, std::span<const std::int32_t> /*labels*/) override {
    fail("device synthetic: got an evaluation, want steps alone (it computes nothing)");
  }

 private:
  std::size_t batch_;
  std::size_t classes_;
};

}  // namespace

std::unique_ptr<LayerOp> make_layer(Device& device, const LayerSize& size) {
  ODSGD_REQUIRE(size.x > 0 && size.y > 0, "{}: got {} floats in and {} out, want 1 or more",
                size.what, size.x, size.y);
  return std::make_unique<Layer>(device, size);
}

std::unique_ptr<LayoutOp> make_layout(Device& device, std::size_t floats) {
  return std::make_unique<Layout>(device, floats);
}

std::unique_ptr<LossOp> make_loss(const LossShape& shape) {
  shape.check();
  return std::make_unique<Loss>(shape.batch, shape.classes);
}

}  // namespace odsgd::synthetic
