#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "nn/made_up_data.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/nn/network.hpp"

using namespace odsgd;

namespace {

constexpr InputShape kMnist{.channels = 1, .height = 28, .width = 28};

}  // namespace

TEST_CASE("network: the gradient is the slope of the loss, for every weight") {
  const auto backend = make_backend({.name = "cpu"});
  Network network(tiny_model(), kTinyInput, kTinyClasses, 5, *backend);
  const MadeUpBatch data = made_up_batch(kTinyInput, kTinyClasses, 5, 1);
  std::vector<float> weights = initial_weights(tiny_model(), kTinyInput, kTinyClasses, 3);
  for (float& w : weights) w *= 2.0F;  // steeper, so that rounding shows less in the differences
  std::vector<float> gradient(weights.size());
  std::vector<float> ignored(weights.size());
  const auto loss = [&] {
    return network.forward_backward(weights, data.images, data.labels, ignored, {}).loss;
  };

  network.forward_backward(weights, data.images, data.labels, gradient, {});

  constexpr float kStep = 2e-4F;
  const ParameterLayout& layout = network.layout();
  for (Key key = 0; key < layout.keys(); ++key) {
    CAPTURE(layout[key].name);
    double greatest = 0;
    for (const float g : layout.slice(key, std::span<const float>(gradient)))
      greatest = std::max(greatest, std::abs(static_cast<double>(g)));
    REQUIRE(greatest > 0.01);
    int agree = 0;
    for (std::size_t i = layout[key].offset; i < layout[key].offset + layout[key].count; ++i) {
      const float kept = weights[i];
      weights[i] = kept + kStep;
      const double up = loss();
      weights[i] = kept - kStep;
      const double slope = (up - loss()) / (2.0 * kStep);
      weights[i] = kept;
      agree += std::abs(slope - gradient[i]) < 0.02 * greatest ? 1 : 0;
    }
    // The rest: where a ReLU or a maximum switches within the step, the slope is another one.
    CHECK(agree >= 0.75 * static_cast<double>(layout[key].count));
  }
}

TEST_CASE("network: with initial weights the loss is near that of guessing") {
  for (const std::string& name : model_names()) {
    CAPTURE(name);
    const auto backend = make_backend({.name = "cpu"});
    Network network(find_model(name), kMnist, 10, 20, *backend);
    const std::vector<float> weights = initial_weights(find_model(name), kMnist, 10);
    std::vector<float> gradient(weights.size());
    const MadeUpBatch data = made_up_batch(kMnist, 10, 20, 1);

    const BatchResult got =
        network.forward_backward(weights, data.images, data.labels, gradient, {});

    CHECK(got.loss == doctest::Approx(std::log(10.0)).epsilon(0.03));
  }
}

TEST_CASE("network: every model learns data that can be learnt") {
  for (const std::string& name : model_names()) {
    CAPTURE(name);
    const auto backend = make_backend({.name = "cpu"});
    Network network(find_model(name), kMnist, 10, 20, *backend);
    std::vector<float> weights = initial_weights(find_model(name), kMnist, 10);
    std::vector<float> gradient(weights.size());
    BatchResult result;

    for (std::uint64_t step = 0; step < 150; ++step) {
      const MadeUpBatch data = made_up_batch(kMnist, 10, 20, step);
      result = network.forward_backward(weights, data.images, data.labels, gradient, {});
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= 0.1F * gradient[i];
    }

    CHECK(result.loss < 0.5);
    CHECK(result.correct >= 18);
    const MadeUpBatch unseen = made_up_batch(kMnist, 10, 20, 1000);
    CHECK(network.evaluate(weights, unseen.images, unseen.labels, 20).top1 >= 18);
  }
}

TEST_CASE("network: evaluation counts the first samples only, as a loop over them does") {
  // A linear classifier of single pixels is computed by hand: its logits are w x + b.
  const ModelSpec linear{.name = "linear",
                         .layers = {FullyConnected{.name = "fc", .outputs = kClasses}},
                         .initialisation = Initialisation::kUniformFanIn,
                         .requires_input = {}};
  constexpr InputShape kPixels{.channels = 2, .height = 1, .width = 3};
  constexpr std::size_t kInputs = 6;
  constexpr std::size_t kOutputs = 8;
  const auto backend = make_backend({.name = "cpu"});
  Network network(linear, kPixels, kOutputs, 32, *backend);
  const std::vector<float> weights = initial_weights(linear, kPixels, kOutputs);
  const MadeUpBatch data = made_up_batch(kPixels, kOutputs, 32, 1);

  for (const int count : {0, 1, 17, 32}) {
    CAPTURE(count);
    EvaluationSums want;
    for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n) {
      double z[kOutputs];
      double sum = 0;
      for (std::size_t k = 0; k < kOutputs; ++k) {
        z[k] = weights[kInputs * kOutputs + k];
        for (std::size_t j = 0; j < kInputs; ++j)
          z[k] += static_cast<double>(weights[k * kInputs + j]) * data.images[n * kInputs + j];
        sum += std::exp(z[k]);
      }
      const double own = z[data.labels[n]];
      int greater = 0;
      for (const double value : z) greater += value > own ? 1 : 0;
      want += {.loss = std::log(sum) - own,
               .top1 = greater == 0 ? 1 : 0,
               .top5 = greater < 5 ? 1 : 0,
               .samples = 1};
    }

    const EvaluationSums got = network.evaluate(weights, data.images, data.labels, count);

    CHECK(got.loss == doctest::Approx(want.loss).epsilon(1e-5));
    CHECK(got.top1 == want.top1);
    CHECK(got.top5 == want.top5);
    CHECK(got.samples == count);
  }
}

TEST_CASE("network: evaluation agrees with training on loss and accuracy") {
  const auto backend = make_backend({.name = "cpu"});
  Network network(tiny_model(), kTinyInput, kTinyClasses, 12, *backend);
  const MadeUpBatch data = made_up_batch(kTinyInput, kTinyClasses, 12, 1);
  const std::vector<float> weights = initial_weights(tiny_model(), kTinyInput, kTinyClasses, 3);
  std::vector<float> gradient(weights.size());

  const BatchResult trained =
      network.forward_backward(weights, data.images, data.labels, gradient, {});
  const EvaluationSums evaluated = network.evaluate(weights, data.images, data.labels, 12);

  CHECK(evaluated.loss / 12.0 == doctest::Approx(trained.loss).epsilon(1e-12));
  CHECK(evaluated.top1 == trained.correct);
}

TEST_CASE("network: label smoothing is in the training loss and its gradient, not in evaluation") {
  // A linear classifier's logits are w x + b: all 0 but for the bias, which is then z itself.
  const ModelSpec linear{.name = "linear",
                         .layers = {FullyConnected{.name = "fc", .outputs = kClasses}},
                         .initialisation = Initialisation::kUniformFanIn,
                         .requires_input = {}};
  constexpr InputShape kPixels{.channels = 1, .height = 1, .width = 2};
  const auto backend = make_backend({.name = "cpu"});
  Network network(linear, kPixels, 4, 1, *backend, nullptr, 0.2F);
  std::vector<float> weights(network.layout().floats());
  weights[2 * 4] = 1;  // z = (1, 0, 0, 0)
  std::vector<float> gradient(weights.size());
  const std::vector<float> images{0.5F, -1.0F};
  const std::vector<std::int32_t> labels{0};

  const double trained = network.forward_backward(weights, images, labels, gradient, {}).loss;
  const double evaluated = network.evaluate(weights, images, labels, 1).loss;

  const double sum = std::exp(1.0) + 3;
  CHECK(trained == doctest::Approx(std::log(sum) - 0.85).epsilon(1e-6));
  CHECK(evaluated == doctest::Approx(std::log(sum) - 1).epsilon(1e-6));
  CHECK(gradient[2 * 4] == doctest::Approx(std::exp(1.0) / sum - 0.85).epsilon(1e-5));
  CHECK(gradient[2 * 4 + 1] == doctest::Approx(1 / sum - 0.05).epsilon(1e-5));
}

TEST_CASE("network: arguments of the wrong size and wrong labels are errors") {
  const auto backend = make_backend({.name = "cpu"});
  CHECK_THROWS_AS(Network(tiny_model(), kTinyInput, kTinyClasses, 0, *backend), Error);
  Network network(tiny_model(), kTinyInput, kTinyClasses, 4, *backend);
  const std::vector<float> weights = initial_weights(tiny_model(), kTinyInput, kTinyClasses);
  std::vector<float> gradient(weights.size());
  MadeUpBatch data = made_up_batch(kTinyInput, kTinyClasses, 4, 1);
  const std::span<const float> images = data.images;

  CHECK_THROWS_WITH_AS(
      network.forward_backward(weights, images.subspan(1), data.labels, gradient, {}),
      "network: got 863 floats of images, want 864", Error);
  CHECK_THROWS_AS(
      network.forward_backward(std::span(weights).subspan(1), images, data.labels, gradient, {}),
      Error);
  CHECK_THROWS_AS(
      network.forward_backward(weights, images, data.labels, std::span(gradient).subspan(1), {}),
      Error);
  CHECK_THROWS_AS(network.evaluate(weights, images, data.labels, 5), Error);
  data.labels[2] = kTinyClasses;
  CHECK_THROWS_WITH_AS(network.forward_backward(weights, images, data.labels, gradient, {}),
                       "sample 2 of the batch: got label 4, want 0 to 3", Error);
}
