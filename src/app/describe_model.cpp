#include "describe_model.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "odsgd/data/dataset.hpp"
#include "odsgd/nn/model.hpp"

namespace odsgd {
namespace {

std::vector<LayerDescription> layers_of(const std::string& name, const DatasetInfo& data) {
  return describe(find_model(name), {data.channels, data.height, data.width}, data.classes());
}

}  // namespace

std::string model_to_text(const std::string& name, const DatasetInfo& data) {
  std::string text = fmt::format("{} on images {}x{}x{}, {} classes\n", name, data.channels,
                                 data.height, data.width, data.classes());
  text +=
      fmt::format("  {:<26}{:<14}{:>12}{:>16}\n", "layer", "output", "parameters", "MFLOP forward");
  std::size_t parameters = 0;
  double flops = 0;
  for (const LayerDescription& layer : layers_of(name, data)) {
    text += fmt::format("  {:<26}{:<14}{:>12}{:>16.3f}\n", layer.layer, layer.output,
                        layer.parameters, layer.forward_flops * 1e-6);
    parameters += layer.parameters;
    flops += layer.forward_flops;
  }
  return text + fmt::format("  {:<40}{:>12}{:>16.3f}   ({} bytes, one image)\n", "all", parameters,
                            flops * 1e-6, parameters * sizeof(float));
}

nlohmann::json model_to_json(const std::string& name, const DatasetInfo& data) {
  nlohmann::json layers = nlohmann::json::array();
  for (const LayerDescription& layer : layers_of(name, data)) {
    layers.push_back({{"layer", layer.layer},
                      {"output", layer.output},
                      {"parameters", layer.parameters},
                      {"forward_flops", layer.forward_flops}});
  }
  return {{"kind", "model"}, {"model", name}, {"layers", layers}};
}

}  // namespace odsgd
