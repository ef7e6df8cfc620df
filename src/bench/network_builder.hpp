#pragma once

#include <string>

#include "odsgd/bench/network_table.hpp"

namespace odsgd {

/// Square windows that slide over a square image.
struct Window {
  int size = 0;
  int stride = 1;
  int padding = 0;
};

/// What lies between two layers.
struct SquareImage {
  int channels = 0;
  int extent = 0;  ///< rows and columns
};

/// Writes a network down layer by layer and follows the image through it.
class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, SquareImage input);

  /// <name>_weight (channels, input channels, size, size), <name>_bias (channels).
  void convolution(const std::string& name, int channels, Window window);

  /// <name>_weight as above, and <name>_gamma, <name>_beta (channels) of batch normalisation.
  void normalised_convolution(const std::string& name, int channels, Window window);

  /// <name>_weight (outputs, floats of the image), <name>_bias (outputs).
  void fully_connected(const std::string& name, int outputs);

  void pooling(Window window);
  void pooling_over_all() { image_.extent = 1; }

  SquareImage image() const { return image_; }  ///< behind the last layer
  void branch_from(SquareImage image) { image_ = image; }

  const NetworkTable& table() const { return table_; }

 private:
  LayerSize& add_layer(const std::string& name, int channels, Window window);
  void slide(int channels, Window window);

  NetworkTable table_;
  SquareImage image_;
};

}  // namespace odsgd
