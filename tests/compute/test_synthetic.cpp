#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/recorded_clock.hpp"
#include "factories.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;
using odsgd::test::RecordedClock;

namespace {

constexpr FullyConnectedShape kLayer{.x = {.n = 2, .c = 3}, .outputs = 4};

/// The lengths of the first steps of a device with one layer.
std::vector<double> step_lengths(const DeviceOptions& options, int steps) {
  RecordedClock host;
  host.now_s = 0;
  const auto backend = make_synthetic_backend(options, host.clock());
  const auto layout = backend->layout(kLayer.x);
  const auto layer = backend->fully_connected(kLayer);
  std::vector<float> x(6);
  std::vector<float> y(8);
  std::vector<float> weight(12);
  std::vector<float> bias(4);
  std::vector<double> lengths;
  for (int step = 0; step < steps; ++step) {
    const double begin_s = host.now_s;
    layout->from_plain(x, x);
    layer->forward(x, {weight, bias}, y);
    layer->backward(x, y, y, {weight, bias}, {}, {weight, bias});
    lengths.push_back(host.now_s - begin_s);
  }
  return lengths;
}

DeviceOptions with_jitter(double percent, std::uint64_t seed = 1, int worker = 0) {
  return {.name = "synthetic",
          .compute_ms = 8000,
          .jitter_percent = percent,
          .seed = seed,
          .worker = worker};
}

}  // namespace

TEST_CASE("synthetic: without jitter every step takes the time it was given") {
  for (const double length : step_lengths(with_jitter(0), 20)) CHECK(length == doctest::Approx(8));
}

TEST_CASE("synthetic: jitter stays within its percent on both sides, and fills them") {
  const std::vector<double> lengths = step_lengths(with_jitter(25), 2000);

  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  CHECK(*least >= 6 - 1e-9);
  CHECK(*least < 6.1);
  CHECK(*most <= 10 + 1e-9);
  CHECK(*most > 9.9);
  double sum = 0;
  for (const double length : lengths) sum += length;
  CHECK(std::abs(sum / 2000 - 8) < 0.1);  // 4 standard errors: 4 / sqrt(12) / sqrt(2000) is 0.026
}

TEST_CASE("synthetic: jitter is the same in every run, and its own on each worker and seed") {
  const std::vector<double> lengths = step_lengths(with_jitter(25), 20);

  CHECK(step_lengths(with_jitter(25), 20) == lengths);
  CHECK(step_lengths(with_jitter(25, 1, 1), 20) != lengths);
  CHECK(step_lengths(with_jitter(25, 2, 0), 20) != lengths);
}

TEST_CASE("synthetic: gradients are zeros wherever they lie, and written once") {
  RecordedClock host;
  const auto backend = make_synthetic_backend(with_jitter(0), host.clock());
  const auto layer = backend->fully_connected(kLayer);
  std::vector<float> x(6);
  std::vector<float> y(8);
  std::vector<float> first(16, 7.0F);
  std::vector<float> second(16, 7.0F);
  const auto backward = [&](View g) { layer->backward(x, y, y, {}, {}, {g.first(12), g.last(4)}); };

  backward(first);
  backward(second);
  CHECK(first == std::vector<float>(16));
  CHECK(second == std::vector<float>(16));
  second[3] = 1;
  backward(second);
  CHECK(second[3] == 1);
}

TEST_CASE("synthetic: pooling and ReLU take no time") {
  RecordedClock host;
  const auto backend = make_synthetic_backend(with_jitter(0), host.clock());
  const PoolingShape shape{.x = {.n = 1, .c = 2, .h = 4, .w = 4}, .kernel = 2, .stride = 2};
  const auto pooling = backend->pooling(shape);
  const auto relu = backend->relu(shape.y());
  std::vector<float> x(32);
  std::vector<float> y(8);

  pooling->forward(x, {}, y);
  pooling->backward(x, y, y, {}, x, {});
  relu->forward(y, {}, y);
  relu->backward(y, y, y, {}, y, {});

  CHECK(host.deadlines.empty());
  CHECK(relu->works_in_place());
  CHECK_FALSE(pooling->works_in_place());
}

TEST_CASE("synthetic: the loss is that of a guess, nothing is right, and evaluating is refused") {
  RecordedClock host;
  const auto loss =
      make_synthetic_backend(with_jitter(0), host.clock())->softmax_cross_entropy({2, 4});
  std::vector<float> z{0, 9, 0, 0, 9, 0, 0, 0};
  std::vector<float> dz(8);
  const std::vector<std::int32_t> labels{1, 0};

  const BatchResult result = loss->train(z, labels, dz);

  CHECK(result.loss == doctest::Approx(1.3862943611));
  CHECK(result.correct == 0);
  CHECK_THROWS_WITH_AS(loss->evaluate(z, labels),
                       doctest::Contains("device synthetic: got an eval"), Error);
}

TEST_CASE("synthetic: times and shares that are none, and views that do not fit, are errors") {
  RecordedClock host;
  CHECK_THROWS_WITH_AS(make_backend({.name = "synthetic"}),
                       "device synthetic: got 0 ms a step, want more than 0", Error);
  CHECK_THROWS_WITH_AS(make_backend(with_jitter(101)),
                       "device synthetic: got jitter 101 %, want 0 to 100", Error);
  CHECK_THROWS_AS(make_backend(with_jitter(-1)), Error);
  const auto backend = make_synthetic_backend(with_jitter(0), host.clock());
  const auto layer = backend->fully_connected(kLayer);
  std::vector<float> eight(8);
  CHECK_THROWS_WITH_AS(layer->forward(eight, {}, eight), "fully connected: x: got 8 floats, want 6",
                       Error);
  CHECK_THROWS_AS(backend->pooling({.x = {.n = 1, .c = 1}, .kernel = 2}), Error);
}
