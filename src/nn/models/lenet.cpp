#include "models.hpp"

namespace odsgd::models {

/// LeCun et al., 1998, with the widths of MXNet's example: 20-50-500, ReLU and max pooling.
ModelSpec lenet() {
  return {.name = "lenet",
          .layers = {Convolution{.name = "conv1", .channels = 20, .kernel = 5},
                     Pooling{.kind = PoolingKind::kMax, .kernel = 2, .stride = 2}, Relu{},
                     Convolution{.name = "conv2", .channels = 50, .kernel = 5},
                     Pooling{.kind = PoolingKind::kMax, .kernel = 2, .stride = 2}, Relu{},
                     FullyConnected{.name = "fc1", .outputs = 500}, Relu{},
                     FullyConnected{.name = "fc2", .outputs = kClasses}},
          .initialisation = Initialisation::kUniformFanIn,
          .requires_input = {}};
}

}  // namespace odsgd::models
