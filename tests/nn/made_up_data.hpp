#pragma once

#include <cstdint>
#include <vector>

#include "odsgd/nn/model.hpp"

namespace odsgd {

/// Images in [0, 1), row-major (N, C, H, W), and labels.
struct MadeUpBatch {
  std::vector<float> images;
  std::vector<std::int32_t> labels;
};

/// Sample i has label i % classes; its image is noise with a bright horizontal band whose place
/// says the label, so that a network can learn it.
MadeUpBatch made_up_batch(InputShape shape, int classes, int count, std::uint64_t seed);

/// A network that has every kind of layer, a stride, padding and a window that does not fit whole,
/// and is small enough to take the difference for each of its weights.
ModelSpec tiny_model();
inline constexpr InputShape kTinyInput{.channels = 3, .height = 9, .width = 8};
inline constexpr int kTinyClasses = 4;

/// Initial weights of a model.
std::vector<float> initial_weights(const ModelSpec& model, InputShape input, int classes,
                                   std::uint64_t seed = 1);

}  // namespace odsgd
