#include "nn/made_up_data.hpp"

#include "odsgd/base/random.hpp"

namespace odsgd {

MadeUpBatch made_up_batch(InputShape shape, int classes, int count, std::uint64_t seed) {
  const Random random(seed, 77);
  MadeUpBatch batch;
  for (int i = 0; i < count; ++i) {
    const int label = i % classes;
    batch.labels.push_back(label);
    for (int c = 0; c < shape.channels; ++c) {
      for (int h = 0; h < shape.height; ++h) {
        const bool bright = h * classes / shape.height == label;
        for (int w = 0; w < shape.width; ++w) {
          const double noise = random.uniform(batch.images.size());
          batch.images.push_back(static_cast<float>(0.5 * noise + (bright ? 0.5 : 0.0)));
        }
      }
    }
  }
  return batch;
}

ModelSpec tiny_model() {
  return {.name = "tiny",
          .layers = {Convolution{.name = "a", .channels = 4, .kernel = 3, .padding = 1},
                     Pooling{.kind = PoolingKind::kMax, .kernel = 2, .stride = 2}, Relu{},
                     Convolution{.name = "b", .channels = 5, .kernel = 2, .stride = 1}, Relu{},
                     Pooling{.kind = PoolingKind::kAverage, .kernel = 2, .stride = 1},
                     FullyConnected{.name = "c", .outputs = 6}, Relu{},
                     FullyConnected{.name = "d", .outputs = kClasses}},
          .initialisation = Initialisation::kUniformFanIn,
          .requires_input = {}};
}

std::vector<float> initial_weights(const ModelSpec& model, InputShape input, int classes,
                                   std::uint64_t seed) {
  std::vector<float> weights(layout_of(model, input, classes).floats());
  initialize(model, input, classes, seed, weights);
  return weights;
}

}  // namespace odsgd
