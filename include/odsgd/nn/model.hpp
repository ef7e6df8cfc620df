#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/nn/layer_spec.hpp"

namespace odsgd {

/// One image: comes from the data.
struct InputShape {
  int channels = 0;
  int height = 0;
  int width = 0;
  bool operator==(const InputShape&) const = default;
};

/// How the weights and biases of a model start; part of the model, since it decides at which
/// learning rates the model trains.
enum class Initialisation {
  /// All of a layer from U(-1/sqrt(fan_in), +1/sqrt(fan_in)), biases too: PyTorch's default.
  kUniformFanIn,
};

/// A network as data: what is learnt follows from it, the image and the number of classes.
struct ModelSpec {
  std::string name;
  std::vector<LayerSpec> layers;
  Initialisation initialisation = Initialisation::kUniformFanIn;
  std::optional<InputShape> requires_input;  ///< empty: any image that its windows fit into
};

/// The names of the built-in models, for the command line.
std::vector<std::string> model_names();

/// A built-in model. Throws Error, listing the known names, when there is none of this name.
const ModelSpec& find_model(const std::string& name);

/// The parameters of a model, in the order of its layers, weight before bias. Needs no backend.
/// Throws Error, naming the layer, when the image does not fit.
ParameterLayout layout_of(const ModelSpec& model, InputShape input, int classes);

/// Fills `weights` (layout_of(...).floats() elements): the same bits for the same seed on every
/// rank.
void initialize(const ModelSpec& model, InputShape input, int classes, std::uint64_t seed,
                std::span<float> weights);

/// One layer of a model, for people.
struct LayerDescription {
  std::string layer;           ///< "conv1", "max pool 2x2 stride 2"
  std::string output;          ///< shape for one sample: "20x24x24"
  std::size_t parameters = 0;  ///< learnable floats
  double forward_flops = 0;    ///< for one sample, a multiply-add being two; kernels and fc alone
};

std::vector<LayerDescription> describe(const ModelSpec& model, InputShape input, int classes);

}  // namespace odsgd
