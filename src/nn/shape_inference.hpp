#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "odsgd/nn/model.hpp"

namespace odsgd {

/// The shape of one sample between layers.
struct SampleShape {
  int c = 0;
  int h = 1;
  int w = 1;

  std::size_t floats() const;
  std::string text() const;  ///< "20x24x24", or "500" for a vector
};

/// What one layer of a model takes and gives, for one sample.
struct LayerShapes {
  std::string label;  ///< name of a learnable layer, else its kind: "max pool 2x2 stride 2"
  SampleShape input;
  SampleShape output;
  std::vector<int> weight;  ///< shape of <label>_weight; empty: nothing is learnt
  std::vector<int> bias;

  std::size_t weight_floats() const;
};

/// One entry a layer. Throws Error, naming model and layer, when an image, a window or the number
/// of outputs does not fit.
std::vector<LayerShapes> infer_shapes(const ModelSpec& model, InputShape input, int classes);

}  // namespace odsgd
