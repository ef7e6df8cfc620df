#include "network_builder.hpp"

#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/compute/shape.hpp"

namespace odsgd {

NetworkBuilder::NetworkBuilder(std::string name, SquareImage input) : image_(input) {
  table_.name = std::move(name);
}

void NetworkBuilder::convolution(const std::string& name, int channels, Window window) {
  LayerSize& layer = add_layer(name, channels, window);
  layer.arrays.push_back({name + "_bias", static_cast<std::size_t>(channels), false});
}

void NetworkBuilder::normalised_convolution(const std::string& name, int channels, Window window) {
  LayerSize& layer = add_layer(name, channels, window);
  layer.arrays.push_back({name + "_gamma", static_cast<std::size_t>(channels), true});
  layer.arrays.push_back({name + "_beta", static_cast<std::size_t>(channels), false});
}

void NetworkBuilder::fully_connected(const std::string& name, int outputs) {
  // A window as large as the image has one place.
  convolution(name, outputs, {.size = image_.extent});
}

void NetworkBuilder::pooling(Window window) { slide(image_.channels, window); }

LayerSize& NetworkBuilder::add_layer(const std::string& name, int channels, Window window) {
  const auto weights = static_cast<std::size_t>(channels) *
                       static_cast<std::size_t>(image_.channels) *
                       static_cast<std::size_t>(window.size * window.size);
  slide(channels, window);
  // Every weight takes part in one multiply-add at every place of the output.
  const double places = static_cast<double>(image_.extent) * image_.extent;
  table_.layers.push_back({.name = name,
                           .arrays = {{name + "_weight", weights, true}},
                           .forward_flops = 2 * static_cast<double>(weights) * places});
  return table_.layers.back();
}

void NetworkBuilder::slide(int channels, Window window) {
  const int extent = window_count(image_.extent, window.size, window.stride, window.padding);
  ODSGD_REQUIRE(extent > 0, "network {}: got an image of {}x{}, want one that a window of {} fits",
                table_.name, image_.extent, image_.extent, window.size);
  image_ = {.channels = channels, .extent = extent};
}

}  // namespace odsgd
