// The server half of the algorithms, without a transport.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "odsgd/algorithms/registry.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;

namespace {

Push push_of(int worker, Clock step, const std::vector<float>& g) {
  auto bytes = std::make_shared<Bytes>(g.size() * sizeof(float));
  std::memcpy(bytes->data(), g.data(), bytes->size());
  const auto* floats = reinterpret_cast<const float*>(bytes->data());
  return {worker, step, bytes, {floats, g.size()}};
}

/// One slice with its rule, driven as a server drives it.
class Slot {
 public:
  Slot(const std::string& algorithm, const AlgorithmSettings& settings, int workers,
       std::vector<float> weights, bool decays = true)
      : weights_(std::move(weights)),
        rule_(find_algorithm(algorithm).make_server(settings, workers)(weights_.size())) {
    slice_.where.count = weights_.size();
    slice_.weights = weights_;
    slice_.decays = decays;
  }

  bool push(int worker, Clock step, const std::vector<float>& g) {
    const bool updated = rule_->on_push(slice_, push_of(worker, step, g));
    if (updated) ++slice_.clock;
    return updated;
  }

  const std::vector<float>& weights() const { return weights_; }

 private:
  std::vector<float> weights_;
  ServerSlice slice_;
  std::unique_ptr<ServerRule> rule_;
};

AlgorithmSettings settings_of(float lr, float momentum, float weight_decay) {
  AlgorithmSettings settings;
  settings.lr = lr;
  settings.momentum = momentum;
  settings.weight_decay = weight_decay;
  return settings;
}

}  // namespace

TEST_CASE("sync server: sums in worker order, whatever the order of arrival") {
  // In worker order ((1e8 + 1) - 1e8) + 1 = 1 in floats: the first 1 is lost. Any order that adds
  // the two large ones first gives 2.
  const std::vector<std::vector<float>> g{{1e8F}, {1}, {-1e8F}, {1}};
  for (const std::vector<int>& order : {std::vector<int>{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}}) {
    Slot slot("ssgd", settings_of(4, 0, 0), 4, {10});
    for (const int m : order) slot.push(m, 0, g[static_cast<std::size_t>(m)]);
    CHECK(slot.weights() == std::vector<float>{10 - 1});
  }
}

TEST_CASE("sync server: updates with the last push of a round, by momentum SGD on the mean") {
  // lr 0.5, momentum 0.25, decay 0.5: V = -0.5 ((1 + 3) / 2 + 0.5 * 4) = -2, W = 2;
  // then V = 0.25 * -2 - 0.5 ((0 + 2) / 2 + 0.5 * 2) = -1.5, W = 0.5.
  Slot slot("ssgd", settings_of(0.5F, 0.25F, 0.5F), 2, {4});
  CHECK_FALSE(slot.push(1, 0, {3}));
  CHECK(slot.weights() == std::vector<float>{4});
  CHECK(slot.push(0, 0, {1}));
  CHECK(slot.weights() == std::vector<float>{2});
  CHECK_FALSE(slot.push(0, 1, {0}));
  CHECK(slot.push(1, 1, {2}));
  CHECK(slot.weights() == std::vector<float>{0.5F});
}

TEST_CASE("sync server: weight decay spares what does not decay") {
  Slot slot("od-sgd", settings_of(0.5F, 0, 0.5F), 1, {4}, false);
  slot.push(0, 0, {2});
  CHECK(slot.weights() == std::vector<float>{3});
}

TEST_CASE("sync server: every float of a long slice is updated once") {
  constexpr std::size_t kCount =
      2500;  // more than two blocks of the fused loop, and not a multiple
  std::vector<float> g(kCount);
  for (std::size_t i = 0; i < kCount; ++i) g[i] = static_cast<float>(i);
  Slot slot("ssgd", settings_of(1, 0, 0), 2, std::vector<float>(kCount, 1));
  slot.push(0, 0, g);
  slot.push(1, 0, g);
  for (std::size_t i = 0; i < kCount; ++i) CHECK(slot.weights()[i] == 1 - static_cast<float>(i));
}

TEST_CASE("sync server: refuses a second push of a round, and pushes of other rounds") {
  Slot slot("ssgd", settings_of(1, 0, 0), 2, {0});
  slot.push(0, 0, {1});
  CHECK_THROWS_WITH_AS(slot.push(0, 0, {1}),
                       "push from worker 0: got step 0 again, want one push of step 0", Error);
  CHECK_THROWS_WITH_AS(slot.push(1, 1, {1}),
                       "push from worker 1: got step 1, want one push of step 0", Error);
  slot.push(1, 0, {1});
  CHECK_THROWS_WITH_AS(slot.push(1, 0, {1}),
                       "push from worker 1: got step 0, want one push of step 1", Error);
}

TEST_CASE("async server: applies each push at once, with one velocity for all workers") {
  // lr 0.5, momentum 0.5, decay 0.5: V = -0.5 (1 + 2) = -1.5, W = 2.5;
  // V = -0.75 - 0.5 (3 + 1.25) = -2.875, W = -0.375.
  Slot slot("asgd", settings_of(0.5F, 0.5F, 0.5F), 2, {4});
  CHECK(slot.push(1, 0, {1}));
  CHECK(slot.weights() == std::vector<float>{2.5F});
  CHECK(slot.push(0, 0, {3}));
  CHECK(slot.weights() == std::vector<float>{-0.375F});
}
