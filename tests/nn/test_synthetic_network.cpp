#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "compute/recorded_clock.hpp"
#include "factories.hpp"
#include "odsgd/nn/network.hpp"

using namespace odsgd;
using odsgd::test::RecordedClock;

namespace {

// LeNet on one sample of 1x28x28, in MFLOP: forward 2 x weights x places of the output.
constexpr double kConv1 = 0.576;  // 2 x 500 x 24 x 24
constexpr double kConv2 = 3.2;    // 2 x 25000 x 8 x 8
constexpr double kFc1 = 0.8;      // 2 x 400000
constexpr double kFc2 = 0.01;     // 2 x 5000
// Backward is twice the forward pass but for conv1, whose dx nobody needs.
constexpr double kStep = 2 * kConv1 + 3 * (kConv2 + kFc1 + kFc2);

/// LeNet on a device that takes one second for a MFLOP of one sample, and so kStep for a step of
/// any batch.
struct TimedLenet {
  static constexpr int kBatch = 3;
  RecordedClock host;
  std::unique_ptr<Backend> backend =
      make_synthetic_backend({.name = "synthetic", .compute_ms = 1000 * kStep}, host.clock());
  Network network{find_model("lenet"), {1, 28, 28}, 10, kBatch, *backend};
  std::vector<float> weights = std::vector<float>(network.layout().floats(), 0.5F);
  std::vector<float> gradient = std::vector<float>(weights.size(), 7.0F);
  std::vector<float> images = std::vector<float>(kBatch * 784, 1.0F);
  std::vector<std::int32_t> labels = {3, 0, 9};

  BatchResult step(const GradientHooks& hooks = {}) {
    return network.forward_backward(weights, images, labels, gradient, hooks);
  }
};

}  // namespace

TEST_CASE("synthetic: lenet's step is spread over its layers as their operations are") {
  TimedLenet lenet;
  const double begin = lenet.host.now_s;
  std::vector<std::pair<Key, double>> before;
  std::vector<std::pair<Key, double>> after;

  lenet.step({.before_forward =
                  [&](Key k) {
                    before.push_back({k, lenet.host.now_s - begin});
                  },
              .before_backward = {},
              .after_backward =
                  [&](Key k) {
                    after.push_back({k, lenet.host.now_s - begin});
                  }});

  const double forward = kConv1 + kConv2 + kFc1 + kFc2;
  const std::vector<std::pair<Key, double>> want_before{{0, 0},
                                                        {1, 0},
                                                        {2, kConv1},
                                                        {3, kConv1},
                                                        {4, kConv1 + kConv2},
                                                        {5, kConv1 + kConv2},
                                                        {6, kConv1 + kConv2 + kFc1},
                                                        {7, kConv1 + kConv2 + kFc1}};
  const std::vector<std::pair<Key, double>> want_after{{7, forward + 2 * kFc2},
                                                       {6, forward + 2 * kFc2},
                                                       {5, forward + 2 * (kFc2 + kFc1)},
                                                       {4, forward + 2 * (kFc2 + kFc1)},
                                                       {3, forward + 2 * (kFc2 + kFc1 + kConv2)},
                                                       {2, forward + 2 * (kFc2 + kFc1 + kConv2)},
                                                       {1, kStep},
                                                       {0, kStep}};
  REQUIRE(before.size() == 8);
  REQUIRE(after.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(before[i].first == want_before[i].first);
    CHECK(std::abs(before[i].second - want_before[i].second) < 1e-9);
    CHECK(after[i].first == want_after[i].first);
    CHECK(std::abs(after[i].second - want_after[i].second) < 1e-9);
  }
}

TEST_CASE("synthetic: time that a hook waits comes on top of the step's") {
  TimedLenet lenet;
  lenet.step();
  const double begin = lenet.host.now_s;

  lenet.step({.before_forward = [&](Key k) { lenet.host.now_s += k == 4 ? 100 : 0; },
              .before_backward = {},
              .after_backward = [&](Key k) { lenet.host.now_s += k == 4 ? 1000 : 0; }});

  CHECK(std::abs(lenet.host.now_s - begin - (kStep + 1100)) < 1e-9);
}

TEST_CASE("synthetic: a step gives zeros as gradients, leaves weights alone and learns nothing") {
  TimedLenet lenet;

  const BatchResult result = lenet.step();

  CHECK(result.loss == doctest::Approx(std::log(10.0)));
  CHECK(result.correct == 0);
  CHECK(lenet.gradient == std::vector<float>(lenet.gradient.size()));
  CHECK(lenet.weights == std::vector<float>(lenet.weights.size(), 0.5F));
}
