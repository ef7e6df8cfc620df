#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "channel_statistics.hpp"

using odsgd::prep::ChannelStatistics;

TEST_CASE("mean and population deviation are per channel, of pixel / 255") {
  // Two images of two channels of two pixels. Channel 0: 0 0 255 255; channel 1: 10 20 30 40.
  const std::vector<std::uint8_t> images{0, 0, 10, 20, 255, 255, 30, 40};
  ChannelStatistics statistics(2);

  statistics.add(images, 2);

  CHECK(statistics.mean()[0] == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(statistics.std()[0] == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(statistics.mean()[1] == doctest::Approx(25.0 / 255).epsilon(1e-15));
  CHECK(statistics.std()[1] == doctest::Approx(std::sqrt(125.0) / 255).epsilon(1e-15));
}

TEST_CASE("images added in two portions, in another order, give the same bits") {
  const std::vector<std::uint8_t> first{1, 2, 3, 250};
  const std::vector<std::uint8_t> second{200, 7, 7, 9};
  ChannelStatistics one(1);
  ChannelStatistics other(1);

  one.add(first, 4);
  one.add(second, 4);
  other.add(second, 4);
  other.add(first, 4);

  CHECK(one.mean() == other.mean());
  CHECK(one.std() == other.std());
}

TEST_CASE("a constant channel has deviation 0 exactly") {
  ChannelStatistics statistics(1);

  statistics.add(std::vector<std::uint8_t>(1000, 77), 10);

  CHECK(statistics.std()[0] == 0.0);
}
