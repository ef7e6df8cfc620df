#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "odsgd/base/parameter_layout.hpp"

namespace odsgd {

/// A learnable array: one key of the parameter server.
struct ArraySize {
  std::string name;  ///< "conv1_weight"
  std::size_t floats = 0;
  bool decays = false;  ///< weights and batch normalisation's gamma do, biases and beta do not
};

/// A convolution, with its batch normalisation if it has one, or a fully connected layer.
struct LayerSize {
  std::string name;
  std::vector<ArraySize> arrays;
  double forward_flops = 0;  ///< of one image, a multiply-add being two; without normalisation
};

/// What a benchmark of communication needs to know of a network: its learnable layers, in the order
/// of the forward pass.
struct NetworkTable {
  std::string name;
  std::vector<LayerSize> layers;

  std::size_t arrays() const;
  std::size_t floats() const;
  double forward_flops() const;  ///< of one image
};

/// alexnet, vgg16 and resnet50 on 3x224x224 images and 1,000 classes, lenet on 1x28x28 and 10, and
/// how a flat table is written.
std::vector<std::string> network_table_names();

/// The table of this name, divided by `scale`; "flat:25000000" is flat_table(25000000). Throws
/// Error, listing the names, when there is none, and when scaled() does.
NetworkTable find_network_table(const std::string& name, double scale = 1);

/// One layer of one array.
NetworkTable flat_table(std::size_t floats);

/// The same layers and operations with arrays of 1/divisor of the floats, rounded up: as much
/// communication for its computation as on a link that is faster by `divisor`. Throws Error unless
/// the divisor is a number of 1 or more.
NetworkTable scaled(NetworkTable table, double divisor);

/// One key an array, in the order of the table. Throws Error when an array has more floats than an
/// int can count.
ParameterLayout layout_of(const NetworkTable& table);

}  // namespace odsgd
