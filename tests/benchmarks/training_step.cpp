/// Images per second of one worker's computation alone: forward, backward and a momentum SGD step
/// of every model, on one thread, without communication and without reading data.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "odsgd/algorithms/sgd_step.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/base/random.hpp"
#include "odsgd/compute/backend.hpp"
#include "odsgd/nn/model.hpp"
#include "odsgd/nn/network.hpp"

namespace {

using namespace odsgd;

constexpr InputShape kImage{.channels = 1, .height = 28, .width = 28};
constexpr int kLabels = 10;
constexpr double kSecondsPerTrial = 0.5;
constexpr int kTrials = 5;

/// A batch of noise: the time does not depend on what the images show.
struct Batch {
  explicit Batch(int size)
      : images(static_cast<std::size_t>(size) * 28 * 28), labels(static_cast<std::size_t>(size)) {
    const Random random(1, 0);
    for (std::size_t i = 0; i < images.size(); ++i)
      images[i] = static_cast<float>(random.uniform(i)) - 0.5F;
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = static_cast<std::int32_t>(i % kLabels);
  }
  std::vector<float> images;
  std::vector<std::int32_t> labels;
};

/// The best of some trials: everything that disturbs a measurement makes it slower.
double images_per_second(const ModelSpec& model, int batch_size) {
  const std::unique_ptr<Backend> backend = make_backend({.name = "cpu"});
  Network network(model, kImage, kLabels, batch_size, *backend);
  const Batch batch(batch_size);
  std::vector<float> weights(network.layout().floats());
  std::vector<float> gradient(weights.size());
  std::vector<float> velocity(weights.size());
  initialize(model, kImage, kLabels, 1, weights);

  const auto step = [&] {
    network.forward_backward(weights, batch.images, batch.labels, gradient, {});
    for (std::size_t i = 0; i < weights.size(); ++i) {
      velocity[i] = sgd_velocity(0.9F, velocity[i], 1e-3F, gradient[i], 1e-4F, weights[i]);
      weights[i] += velocity[i];
    }
  };

  step();  // the first one warms up caches and the library's own tables
  double best = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    int steps = 0;
    const double start = now_s();
    double elapsed = 0;
    while (elapsed < kSecondsPerTrial) {
      step();
      ++steps;
      elapsed = now_s() - start;
    }
    best = std::max(best, steps * batch_size / elapsed);
  }
  return best;
}

}  // namespace

int main() {
  try {
    fmt::print("Training step on one thread of {}: images/s\n", cpu_model());
    fmt::print("{:<12}{:>10}{:>10}{:>10}\n", "batch", 32, 64, 128);
    for (const auto& name : model_names()) {
      fmt::print("{:<12}", name);
      for (const int batch : {32, 64, 128})
        fmt::print("{:>10.0f}", images_per_second(find_model(name), batch));
      fmt::print("\n");
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 1;
  }
}
