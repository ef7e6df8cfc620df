#include "models.hpp"

namespace odsgd::models {

/// The multilayer perceptron of MXNet's MNIST example: 128-64, ReLU.
ModelSpec mlp() {
  return {.name = "mlp",
          .layers = {FullyConnected{.name = "fc1", .outputs = 128}, Relu{},
                     FullyConnected{.name = "fc2", .outputs = 64}, Relu{},
                     FullyConnected{.name = "fc3", .outputs = kClasses}},
          .initialisation = Initialisation::kUniformFanIn,
          .requires_input = {}};
}

}  // namespace odsgd::models
