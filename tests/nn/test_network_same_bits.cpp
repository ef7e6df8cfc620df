#include <doctest/doctest.h>

#include <thread>

#include "nn/made_up_data.hpp"
#include "odsgd/nn/network.hpp"

using namespace odsgd;

namespace {

constexpr InputShape kMnist{.channels = 1, .height = 28, .width = 28};

/// Weights after a few steps of plain SGD of lenet, and the losses on the way behind them.
std::vector<float> train(int batch, std::size_t shift = 0) {
  const ModelSpec& model = find_model("lenet");
  const auto backend = make_backend({.name = "cpu"});
  Network network(model, kMnist, 10, batch, *backend);
  const std::size_t floats = network.layout().floats();
  std::vector<float> weight_memory(floats + shift);
  std::vector<float> gradient_memory(floats + shift);
  const std::span<float> weights = std::span(weight_memory).subspan(shift);
  const std::span<float> gradient = std::span(gradient_memory).subspan(shift);
  initialize(model, kMnist, 10, 1, weights);
  std::vector<float> losses;
  for (std::uint64_t step = 0; step < 4; ++step) {
    const MadeUpBatch data = made_up_batch(kMnist, 10, batch, step);
    const BatchResult result =
        network.forward_backward(weights, data.images, data.labels, gradient, {});
    losses.push_back(static_cast<float>(result.loss));
    for (std::size_t i = 0; i < floats; ++i) weights[i] -= 0.05F * gradient[i];
  }
  std::vector<float> all(weights.begin(), weights.end());
  all.insert(all.end(), losses.begin(), losses.end());
  return all;
}

}  // namespace

TEST_CASE("network: two runs, and runs with memory elsewhere, give the same bits") {
  for (const int batch : {1, 7, 64}) {
    CAPTURE(batch);
    const std::vector<float> first = train(batch);

    CHECK(train(batch) == first);
    CHECK(train(batch, 5) == first);
  }
}

TEST_CASE("network: two threads at the same time give the same bits as one") {
  const std::vector<float> alone = train(32);
  std::vector<float> results[2];

  std::thread other([&] { results[0] = train(32); });
  results[1] = train(32);
  other.join();

  CHECK(results[0] == alone);
  CHECK(results[1] == alone);
}

TEST_CASE("network: what was computed before leaves no trace") {
  const auto backend = make_backend({.name = "cpu"});
  Network network(find_model("lenet"), kMnist, 10, 8, *backend);
  const std::vector<float> weights = initial_weights(find_model("lenet"), kMnist, 10);
  const MadeUpBatch data = made_up_batch(kMnist, 10, 8, 1);
  const MadeUpBatch other = made_up_batch(kMnist, 10, 8, 2);
  std::vector<float> first(weights.size());
  std::vector<float> second(weights.size());

  network.forward_backward(weights, data.images, data.labels, first, {});
  network.evaluate(weights, other.images, other.labels, 3);
  network.forward_backward(weights, other.images, other.labels, second, {});
  CHECK(second != first);
  network.forward_backward(weights, data.images, data.labels, second, {});

  CHECK(second == first);
}
