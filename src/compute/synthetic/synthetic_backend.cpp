#include <fmt/format.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "../factories.hpp"
#include "ops.hpp"

namespace odsgd {
namespace {

/// A pretend device for benchmarks: layers take time, and no processor, as on a GPU; nothing is
/// computed. Device::add_layer says how a step's time is spread.
class SyntheticBackend final : public Backend {
 public:
  SyntheticBackend(const DeviceOptions& options, SleepClock clock)
      : options_(options), device_(options, std::move(clock)) {}

  std::string description() const override {
    return fmt::format("synthetic: pretends to compute, {} ms a step{}", options_.compute_ms,
                       options_.jitter_percent > 0
                           ? fmt::format(" plus or minus up to {} %", options_.jitter_percent)
                           : "");
  }

  /// Never touched, and so no memory of the host: calloc leaves large ranges to the system's pages
  /// of zeros.
  Buffer allocate(std::size_t floats) override {
    auto* memory = static_cast<float*>(std::calloc(floats + 1, sizeof(float)));  // NOLINT
    if (memory == nullptr) throw std::bad_alloc();
    return {View(memory, floats), [](float* p) { std::free(p); }};  // NOLINT
  }

  Buffer allocate_copy(std::size_t /*floats*/) override { return {}; }
  ConstView upload(std::span<const float> host, View /*copy*/) override { return host; }
  View destination(std::span<float> host, View /*copy*/) override { return host; }
  void download(ConstView /*copy*/, std::span<float> /*host*/) override {}

  std::unique_ptr<LayerOp> convolution(const ConvolutionShape& shape) override {
    return synthetic::make_layer(device_, {.what = "convolution",
                                           .x = shape.x.floats(),
                                           .y = shape.y().floats(),
                                           .weight = shape.weight_floats(),
                                           .bias = static_cast<std::size_t>(shape.channels),
                                           .forward_flops = shape.forward_flops()});
  }
  std::unique_ptr<LayerOp> fully_connected(const FullyConnectedShape& shape) override {
    return synthetic::make_layer(device_, {.what = "fully connected",
                                           .x = shape.x.floats(),
                                           .y = shape.y().floats(),
                                           .weight = shape.weight_floats(),
                                           .bias = static_cast<std::size_t>(shape.outputs),
                                           .forward_flops = shape.forward_flops()});
  }
  std::unique_ptr<LayerOp> pooling(const PoolingShape& shape) override {
    return synthetic::make_layer(
        device_, {.what = "pooling", .x = shape.x.floats(), .y = shape.y().floats()});
  }
  std::unique_ptr<LayerOp> relu(const TensorShape& shape) override {
    return synthetic::make_layer(
        device_,
        {.what = "relu", .x = shape.floats(), .y = shape.floats(), .works_in_place = true});
  }
  std::unique_ptr<LayoutOp> layout(const TensorShape& shape) override {
    return synthetic::make_layout(device_, shape.floats());
  }
  std::unique_ptr<LossOp> softmax_cross_entropy(const LossShape& shape) override {
    return synthetic::make_loss(shape);
  }

 private:
  DeviceOptions options_;
  synthetic::Device device_;
};

}  // namespace

std::unique_ptr<Backend> make_synthetic_backend(const DeviceOptions& options, SleepClock clock) {
  return std::make_unique<SyntheticBackend>(options, std::move(clock));
}

}  // namespace odsgd
