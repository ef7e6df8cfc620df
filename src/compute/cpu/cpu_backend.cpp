#include <utility>

#include "../factories.hpp"
#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/host.hpp"
#include "ops.hpp"

namespace odsgd {
namespace {

/// Ops read and write host memory: weights and gradients stay where the caller keeps them.
class CpuBackend final : public Backend {
  template <class Make>
  auto made(const char* what, Make&& make) {
    const cpu::Scope scope(context_);
    return cpu::checked(what, std::forward<Make>(make));
  }

 public:
  explicit CpuBackend(int threads) : context_(threads) {}

  std::string description() const override {
    const dnnl::version_t* version = dnnl::version();
    return fmt::format("cpu: {}, oneDNN {}.{}.{}, {} thread{}", cpu_model(), version->major,
                       version->minor, version->patch, context_.threads,
                       context_.threads == 1 ? "" : "s");
  }

  Buffer allocate(std::size_t floats) override {
    auto memory = std::make_shared<AlignedBuffer<float>>(floats);
    const View view = memory->span();
    return {view, [owner = std::move(memory)](float*) {}};
  }

  Buffer allocate_copy(std::size_t /*floats*/) override { return {}; }
  ConstView upload(std::span<const float> host, View /*copy*/) override { return host; }
  View destination(std::span<float> host, View /*copy*/) override { return host; }
  void download(ConstView /*copy*/, std::span<float> /*host*/) override {}

  std::unique_ptr<LayerOp> convolution(const ConvolutionShape& shape) override {
    return made("convolution", [&] { return cpu::make_convolution(context_, shape); });
  }
  std::unique_ptr<LayerOp> fully_connected(const FullyConnectedShape& shape) override {
    return made("fully connected", [&] { return cpu::make_fully_connected(context_, shape); });
  }
  std::unique_ptr<LayerOp> pooling(const PoolingShape& shape) override {
    return made("pooling", [&] { return cpu::make_pooling(context_, shape); });
  }
  std::unique_ptr<LayerOp> relu(const TensorShape& shape) override {
    return made("relu", [&] { return cpu::make_relu(context_, shape); });
  }
  std::unique_ptr<LayoutOp> layout(const TensorShape& shape) override {
    return made("layout", [&] { return cpu::make_layout(context_, shape); });
  }
  std::unique_ptr<LossOp> softmax_cross_entropy(const LossShape& shape) override {
    return made("softmax", [&] { return cpu::make_softmax_cross_entropy(context_, shape); });
  }

 private:
  cpu::Context context_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) {
  return cpu::checked("device cpu", [&] { return std::make_unique<CpuBackend>(threads); });
}

}  // namespace odsgd
