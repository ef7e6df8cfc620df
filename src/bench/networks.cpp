#include "networks.hpp"

#include <fmt/format.h>

#include <array>

#include "network_builder.hpp"

namespace odsgd::networks {
namespace {

constexpr SquareImage kImageNet{.channels = 3, .extent = 224};
constexpr int kImageNetClasses = 1000;

/// ResNet's block: 1x1, 3x3 and 1x1 convolutions beside a shortcut, which is a 1x1 convolution
/// where the shape changes. The stride is in the 3x3 convolution, as in torchvision.
void bottleneck(NetworkBuilder& net, const std::string& name, int width, int stride) {
  const SquareImage input = net.image();
  net.normalised_convolution(name + ".conv1", width, {.size = 1});
  net.normalised_convolution(name + ".conv2", width, {.size = 3, .stride = stride, .padding = 1});
  net.normalised_convolution(name + ".conv3", 4 * width, {.size = 1});
  if (input.channels == net.image().channels && stride == 1) return;
  net.branch_from(input);
  net.normalised_convolution(name + ".downsample", 4 * width, {.size = 1, .stride = stride});
}

}  // namespace

/// Krizhevsky, arXiv 1404.5997: the single-column version, with torchvision's widths.
NetworkTable alexnet() {
  NetworkBuilder net("alexnet", kImageNet);
  net.convolution("conv1", 64, {.size = 11, .stride = 4, .padding = 2});
  net.pooling({.size = 3, .stride = 2});
  net.convolution("conv2", 192, {.size = 5, .padding = 2});
  net.pooling({.size = 3, .stride = 2});
  net.convolution("conv3", 384, {.size = 3, .padding = 1});
  net.convolution("conv4", 256, {.size = 3, .padding = 1});
  net.convolution("conv5", 256, {.size = 3, .padding = 1});
  net.pooling({.size = 3, .stride = 2});
  net.fully_connected("fc6", 4096);
  net.fully_connected("fc7", 4096);
  net.fully_connected("fc8", kImageNetClasses);
  return net.table();
}

/// Simonyan and Zisserman, ICLR 2015: configuration D.
NetworkTable vgg16() {
  struct Stage {
    int width;
    int convolutions;
  };
  constexpr auto kStages = std::to_array<Stage>({{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}});
  NetworkBuilder net("vgg16", kImageNet);
  int number = 0;
  for (const auto [width, convolutions] : kStages) {
    ++number;
    for (int i = 1; i <= convolutions; ++i)
      net.convolution(fmt::format("conv{}_{}", number, i), width, {.size = 3, .padding = 1});
    net.pooling({.size = 2, .stride = 2});
  }
  net.fully_connected("fc6", 4096);
  net.fully_connected("fc7", 4096);
  net.fully_connected("fc8", kImageNetClasses);
  return net.table();
}

/// He, Zhang, Ren and Sun, CVPR 2016; the arrays in torchvision's order.
NetworkTable resnet50() {
  struct Stage {
    int width;
    int blocks;
  };
  constexpr auto kStages = std::to_array<Stage>({{64, 3}, {128, 4}, {256, 6}, {512, 3}});
  NetworkBuilder net("resnet50", kImageNet);
  net.normalised_convolution("conv1", 64, {.size = 7, .stride = 2, .padding = 3});
  net.pooling({.size = 3, .stride = 2, .padding = 1});
  int number = 0;
  for (const auto [width, blocks] : kStages) {
    ++number;
    for (int i = 0; i < blocks; ++i) {
      const bool halves = i == 0 && number > 1;
      bottleneck(net, fmt::format("layer{}.{}", number, i), width, halves ? 2 : 1);
    }
  }
  net.pooling_over_all();
  net.fully_connected("fc", kImageNetClasses);
  return net.table();
}

/// The model `lenet` on MNIST: 20-50-500.
NetworkTable lenet() {
  NetworkBuilder net("lenet", {.channels = 1, .extent = 28});
  net.convolution("conv1", 20, {.size = 5});
  net.pooling({.size = 2, .stride = 2});
  net.convolution("conv2", 50, {.size = 5});
  net.pooling({.size = 2, .stride = 2});
  net.fully_connected("fc1", 500);
  net.fully_connected("fc2", 10);
  return net.table();
}

}  // namespace odsgd::networks
