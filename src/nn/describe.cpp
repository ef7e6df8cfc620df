#include "odsgd/nn/model.hpp"
#include "shape_inference.hpp"

namespace odsgd {

std::vector<LayerDescription> describe(const ModelSpec& model, InputShape input, int classes) {
  std::vector<LayerDescription> rows;
  for (const LayerShapes& layer : infer_shapes(model, input, classes)) {
    const std::size_t weights = layer.weight_floats();
    const std::size_t biases = layer.bias.empty() ? 0 : static_cast<std::size_t>(layer.bias[0]);
    // Every weight is used once at every position of the output.
    const auto positions = static_cast<double>(layer.output.h) * layer.output.w;
    rows.push_back({.layer = layer.label,
                    .output = layer.output.text(),
                    .parameters = weights + biases,
                    .forward_flops = 2.0 * static_cast<double>(weights) * positions});
  }
  return rows;
}

}  // namespace odsgd
