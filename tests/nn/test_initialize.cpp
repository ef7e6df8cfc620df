#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "nn/made_up_data.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;

namespace {

constexpr InputShape kMnist{.channels = 1, .height = 28, .width = 28};

}  // namespace

TEST_CASE("initial weights are a function of the seed") {
  const ModelSpec& lenet = find_model("lenet");

  CHECK(initial_weights(lenet, kMnist, 10, 5) == initial_weights(lenet, kMnist, 10, 5));
  CHECK(initial_weights(lenet, kMnist, 10, 5) != initial_weights(lenet, kMnist, 10, 6));
}

TEST_CASE("initial weights and biases of lenet are uniform within 1 / sqrt(fan in)") {
  const ParameterLayout layout = layout_of(find_model("lenet"), kMnist, 10);
  const std::vector<float> weights = initial_weights(find_model("lenet"), kMnist, 10);
  const double fan_in[] = {25, 25, 500, 500, 800, 800, 500, 500};

  for (Key key = 0; key < layout.keys(); ++key) {
    CAPTURE(layout[key].name);
    const double bound = 1.0 / std::sqrt(fan_in[key]);
    double sum = 0;
    double squares = 0;
    double greatest = 0;
    const auto values = layout.slice(key, std::span<const float>(weights));
    for (const float w : values) {
      sum += w;
      squares += static_cast<double>(w) * w;
      greatest = std::max(greatest, std::abs(static_cast<double>(w)));
    }
    const auto n = static_cast<double>(values.size());
    const double variance = bound * bound / 3.0;
    CHECK(greatest <= bound * (1 + 1e-6));
    CHECK(greatest > 0.7 * bound);
    CHECK(std::abs(sum / n) < 4.0 * std::sqrt(variance / n));
    // The variance of u^2 for u uniform in [-b, b] is 4 b^4 / 45.
    CHECK(std::abs(squares / n - variance) < 4.0 * bound * bound * std::sqrt(4.0 / 45.0 / n));
  }
}

TEST_CASE("no two keys start with the same numbers") {
  const ParameterLayout layout = layout_of(find_model("lenet"), kMnist, 10);
  const std::vector<float> weights = initial_weights(find_model("lenet"), kMnist, 10);
  std::vector<double> first;

  for (Key key = 0; key < layout.keys(); ++key) {
    const double fan_in = key < 2 ? 25 : key == 4 || key == 5 ? 800 : 500;
    first.push_back(std::round(1e5 * weights[layout[key].offset] * std::sqrt(fan_in)));
  }
  std::sort(first.begin(), first.end());

  CHECK(std::adjacent_find(first.begin(), first.end()) == first.end());
}

TEST_CASE("room of the wrong size is an error") {
  std::vector<float> weights(431079);

  CHECK_THROWS_WITH_AS(initialize(find_model("lenet"), kMnist, 10, 1, weights),
                       "initialize lenet: got 431079 floats, want 431080", Error);
}
