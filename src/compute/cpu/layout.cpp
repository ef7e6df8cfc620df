#include "ops.hpp"
#include "prepared.hpp"

namespace odsgd::cpu {
namespace {

class Layout final : public LayoutOp {
 public:
  Layout(const Context& context, const TensorShape& shape)
      : context_(context),
        floats_(shape.floats()),
        plain_(movable(context, plain({shape.n, shape.c, shape.h, shape.w}))),
        device_(movable(context, activations(shape))),
        from_plain_(make_reorder(context, plain_, device_)),
        to_plain_(make_reorder(context, device_, plain_)) {}

  void from_plain(std::span<const float> host, View device) override {
    const Scope scope(context_);
    bind(host, device);
    from_plain_.run();
  }

  void to_plain(ConstView device, std::span<float> host) override {
    const Scope scope(context_);
    bind(host, device);
    to_plain_.run();
  }

 private:
  void bind(ConstView host, ConstView device) {
    check_size("layout: host", host.size(), floats_);
    check_size("layout: device", device.size(), floats_);
    point(plain_, host.data());
    point(device_, device.data());
  }

  const Context& context_;
  std::size_t floats_;
  dnnl::memory plain_;
  dnnl::memory device_;
  Prepared from_plain_;
  Prepared to_plain_;
};

}  // namespace

std::unique_ptr<LayoutOp> make_layout(const Context& context, const TensorShape& shape) {
  return std::make_unique<Layout>(context, shape);
}

}  // namespace odsgd::cpu
