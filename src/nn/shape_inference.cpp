#include "shape_inference.hpp"

#include <fmt/format.h>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

std::size_t product(const std::vector<int>& shape) {
  std::size_t count = shape.empty() ? 0 : 1;
  for (const int extent : shape) count *= static_cast<std::size_t>(extent);
  return count;
}

/// Fills in output, weight and bias of one kind of layer each.
class Inference {
 public:
  Inference(std::string where, std::string image, int classes, LayerShapes& shapes)
      : where_(std::move(where)), image_(std::move(image)), classes_(classes), s_(shapes) {}

  void operator()(const Convolution& spec) const {
    require_positive(spec.channels, "channels");
    ODSGD_REQUIRE(spec.padding >= 0, "{}: got padding {}, want 0 or more", where_, spec.padding);
    s_.output = slide(spec.channels, spec.kernel, spec.stride, spec.padding);
    s_.weight = {spec.channels, s_.input.c, spec.kernel, spec.kernel};
    s_.bias = {spec.channels};
  }

  void operator()(const Pooling& spec) const {
    s_.output = slide(s_.input.c, spec.kernel, spec.stride, 0);
  }

  void operator()(const Relu& /*spec*/) const { s_.output = s_.input; }

  void operator()(const FullyConnected& spec) const {
    const int outputs = spec.outputs == kClasses ? classes_ : spec.outputs;
    require_positive(outputs, "outputs");
    s_.output = {.c = outputs, .h = 1, .w = 1};
    s_.weight = {outputs, static_cast<int>(s_.input.floats())};
    s_.bias = {outputs};
  }

 private:
  SampleShape slide(int channels, int kernel, int stride, int padding) const {
    require_positive(kernel, "kernel");
    require_positive(stride, "stride");
    const SampleShape output = {.c = channels,
                                .h = window_count(s_.input.h, kernel, stride, padding),
                                .w = window_count(s_.input.w, kernel, stride, padding)};
    const std::string padded = padding == 0 ? "" : fmt::format(" with padding {}", padding);
    ODSGD_REQUIRE(output.floats() > 0, "{}: input {}x{}{} is smaller than kernel {}x{} ({})",
                  where_, s_.input.h, s_.input.w, padded, kernel, kernel, image_);
    return output;
  }

  void require_positive(int value, const char* what) const {
    ODSGD_REQUIRE(value > 0, "{}: got {} = {}, want 1 or more", where_, what, value);
  }

  std::string where_;
  std::string image_;
  int classes_;
  LayerShapes& s_;
};

std::string label_of(const LayerSpec& layer) {
  struct Label {
    std::string operator()(const Convolution& spec) const { return spec.name; }
    std::string operator()(const FullyConnected& spec) const { return spec.name; }
    std::string operator()(const Relu& /*spec*/) const { return "relu"; }
    std::string operator()(const Pooling& spec) const {
      return fmt::format("{} pool {}x{} stride {}",
                         spec.kind == PoolingKind::kMax ? "max" : "average", spec.kernel,
                         spec.kernel, spec.stride);
    }
  };
  return std::visit(Label{}, layer);
}

}  // namespace

std::size_t SampleShape::floats() const {
  return static_cast<std::size_t>(c) * static_cast<std::size_t>(h) * static_cast<std::size_t>(w);
}

std::string SampleShape::text() const {
  return h == 1 && w == 1 ? fmt::format("{}", c) : fmt::format("{}x{}x{}", c, h, w);
}

std::size_t LayerShapes::weight_floats() const { return product(weight); }

std::vector<LayerShapes> infer_shapes(const ModelSpec& model, InputShape input, int classes) {
  const std::string image =
      fmt::format("input image {}x{}x{}", input.channels, input.height, input.width);
  ODSGD_REQUIRE(input.channels > 0 && input.height > 0 && input.width > 0,
                "model {}: got {}, want positive extents", model.name, image);
  ODSGD_REQUIRE(classes > 1, "model {}: got {} classes, want 2 or more", model.name, classes);
  if (model.requires_input) {
    const InputShape& want = *model.requires_input;
    ODSGD_REQUIRE(input == want, "model {}: got {}, want {}x{}x{}", model.name, image,
                  want.channels, want.height, want.width);
  }
  std::vector<LayerShapes> layers;
  SampleShape at = {.c = input.channels, .h = input.height, .w = input.width};
  for (const LayerSpec& layer : model.layers) {
    LayerShapes shapes{
        .label = label_of(layer), .input = at, .output = {}, .weight = {}, .bias = {}};
    const std::string where = fmt::format("model {}: layer {}", model.name, shapes.label);
    std::visit(Inference(where, image, classes, shapes), layer);
    at = shapes.output;
    layers.push_back(std::move(shapes));
  }
  ODSGD_REQUIRE(at.c == classes && at.h == 1 && at.w == 1,
                "model {}: got {} outputs, want {}, one a class", model.name, at.text(), classes);
  return layers;
}

ParameterLayout layout_of(const ModelSpec& model, InputShape input, int classes) {
  ParameterLayout layout;
  for (const LayerShapes& layer : infer_shapes(model, input, classes)) {
    if (layer.weight.empty()) continue;
    layout.add(layer.label + "_weight", layer.weight, true);
    layout.add(layer.label + "_bias", layer.bias, false);
  }
  return layout;
}

}  // namespace odsgd
