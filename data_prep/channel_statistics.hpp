#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace odsgd::prep {

/// Mean and standard deviation per channel of the pixels of images, in units of 255.
///
/// Counts how often each value occurs: no rounding until the end, however many images there are and
/// in whatever order they come.
class ChannelStatistics {
 public:
  explicit ChannelStatistics(std::size_t channels) : counts_(channels) {}

  /// images (N, C, pixels), row-major, of whole images.
  void add(std::span<const std::uint8_t> images, std::size_t pixels);

  std::vector<double> mean() const;  ///< per channel, of pixel / 255
  std::vector<double> std() const;   ///< of the whole population: divided by N, not N - 1

 private:
  using Counts = std::array<std::uint64_t, 256>;
  std::vector<Counts> counts_;
};

}  // namespace odsgd::prep
