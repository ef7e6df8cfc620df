#include "odsgd/nn/model.hpp"
#include "shape_inference.hpp"

namespace odsgd {

std::vector<LayerDescription> describe(const ModelSpec& model, InputShape input, int classes) {
  std::vector<LayerDescription> rows;
  for (const LayerShapes& layer : infer_shapes(model, input, classes)) {
    const std::size_t weights = layer.weight_floats();
    const std::size_t biases = layer.bias.empty() ? 0 : static_cast<std::size_t>(layer.bias[0]);
    const TensorShape y{.n = 1, .c = layer.output.c, .h = layer.output.h, .w = layer.output.w};
    rows.push_back({.layer = layer.label,
                    .output = layer.output.text(),
                    .parameters = weights + biases,
                    .forward_flops = forward_flops(weights, y)});
  }
  return rows;
}

}  // namespace odsgd
