#pragma once

#include <string>
#include <variant>

#include "odsgd/compute/shape.hpp"

namespace odsgd {

/// Stands for the number of classes of the data where a layer says how many outputs it has.
inline constexpr int kClasses = -1;

/// Learnable: <name>_weight (channels, input channels, kernel, kernel), <name>_bias (channels).
struct Convolution {
  std::string name;
  int channels = 0;
  int kernel = 0;
  int stride = 1;
  int padding = 0;
};

/// Without padding; has no parameters.
struct Pooling {
  PoolingKind kind = PoolingKind::kMax;
  int kernel = 0;
  int stride = 1;
};

struct Relu {};

/// Learnable: <name>_weight (outputs, inputs), <name>_bias (outputs); inputs = C*H*W in this order.
struct FullyConnected {
  std::string name;
  int outputs = kClasses;
};

using LayerSpec = std::variant<Convolution, Pooling, Relu, FullyConnected>;

}  // namespace odsgd
