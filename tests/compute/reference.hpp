#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "odsgd/compute/shape.hpp"

/// Slow and obvious layers on plain memory, summed in double: the oracle of the backend suite.
namespace odsgd::reference {

/// `count` values, uniform in [-1, 1), a function of the stream.
std::vector<float> noise(std::size_t count, std::uint64_t stream);

/// The numbers (i - count / 2 + 1/2) / count in a random order: all differ by 1 / count at least
/// and none is nearer to zero than half of that.
std::vector<float> distinct(std::size_t count, std::uint64_t stream);

/// sqrt(sum (got - want)^2 / sum want^2).
double relative_error(std::span<const float> got, std::span<const double> want);

struct Gradients {
  std::vector<double> dx;
  std::vector<double> weight;
  std::vector<double> bias;
};

std::vector<double> convolution(const ConvolutionShape& s, std::span<const float> x,
                                std::span<const float> weight, std::span<const float> bias);
Gradients convolution_backward(const ConvolutionShape& s, std::span<const float> x,
                               std::span<const float> weight, std::span<const float> dy);

std::vector<double> fully_connected(const FullyConnectedShape& s, std::span<const float> x,
                                    std::span<const float> weight, std::span<const float> bias);
Gradients fully_connected_backward(const FullyConnectedShape& s, std::span<const float> x,
                                   std::span<const float> weight, std::span<const float> dy);

std::vector<double> pooling(const PoolingShape& s, std::span<const float> x);
std::vector<double> pooling_backward(const PoolingShape& s, std::span<const float> x,
                                     std::span<const float> dy);

}  // namespace odsgd::reference
