#include "channel_statistics.hpp"

#include <cmath>

namespace odsgd::prep {
namespace {

constexpr double kWhite = 255;

/// Mean over all pixels of f(pixel).
template <class Function>
double average(const std::array<std::uint64_t, 256>& counts, const Function& f) {
  double sum = 0;
  double total = 0;
  for (std::size_t value = 0; value < counts.size(); ++value) {
    const auto count = static_cast<double>(counts[value]);
    sum += count * f(static_cast<double>(value));
    total += count;
  }
  return sum / total;
}

double mean_of(const std::array<std::uint64_t, 256>& counts) {
  return average(counts, [](double value) { return value; });
}

}  // namespace

void ChannelStatistics::add(std::span<const std::uint8_t> images, std::size_t pixels) {
  for (std::size_t begin = 0; begin + pixels <= images.size(); begin += pixels) {
    Counts& counts = counts_[begin / pixels % counts_.size()];
    for (const std::uint8_t value : images.subspan(begin, pixels)) ++counts[value];
  }
}

std::vector<double> ChannelStatistics::mean() const {
  std::vector<double> means;
  for (const Counts& counts : counts_) means.push_back(mean_of(counts) / kWhite);
  return means;
}

std::vector<double> ChannelStatistics::std() const {
  std::vector<double> deviations;
  for (const Counts& counts : counts_) {
    const double mean = mean_of(counts);
    const double variance =
        average(counts, [&](double value) { return (value - mean) * (value - mean); });
    deviations.push_back(std::sqrt(variance) / kWhite);
  }
  return deviations;
}

}  // namespace odsgd::prep
