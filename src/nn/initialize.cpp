#include <cmath>

#include "odsgd/base/error.hpp"
#include "odsgd/base/random.hpp"
#include "odsgd/nn/model.hpp"
#include "shape_inference.hpp"

namespace odsgd {
namespace {

// Streams of the generator for initial weights: this plus the key. Epochs, delays and the like use
// small numbers.
constexpr std::uint64_t kStream = 0x57454947'00000000U;

/// U(-bound, +bound); value i depends on (seed, key, i) alone.
void fill_uniform(std::span<float> values, double bound, std::uint64_t seed, Key key) {
  const Random random(seed, kStream + key);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(bound * (2.0 * random.uniform(i) - 1.0));
  }
}

}  // namespace

void initialize(const ModelSpec& model, InputShape input, int classes, std::uint64_t seed,
                std::span<float> weights) {
  const ParameterLayout layout = layout_of(model, input, classes);
  ODSGD_REQUIRE(weights.size() == layout.floats(), "initialize {}: got {} floats, want {}",
                model.name, weights.size(), layout.floats());
  Key key = 0;
  for (const LayerShapes& layer : infer_shapes(model, input, classes)) {
    if (layer.weight.empty()) continue;
    switch (model.initialisation) {
      case Initialisation::kUniformFanIn: {
        const std::size_t fan_in =
            layer.weight_floats() / static_cast<std::size_t>(layer.weight.front());
        const double bound = 1.0 / std::sqrt(static_cast<double>(fan_in));
        fill_uniform(layout.slice(key, weights), bound, seed, key);
        fill_uniform(layout.slice(key + 1, weights), bound, seed, key + 1);
        break;
      }
    }
    key += 2;
  }
}

}  // namespace odsgd
