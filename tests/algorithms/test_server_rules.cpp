// The server half of the algorithms, without a transport.
#include <doctest/doctest.h>

#include <vector>

#include "algorithms/slot.hpp"
#include "odsgd/ps/two_bit.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

AlgorithmSettings settings_of(float lr, float momentum, float weight_decay) {
  AlgorithmSettings settings;
  settings.lr = lr;
  settings.momentum = momentum;
  settings.weight_decay = weight_decay;
  return settings;
}

}  // namespace

TEST_CASE("sync server: sums in worker order") {
  // ((1e8 + 1) - 1e8) + 1 = 1 in floats: the first 1 is lost. Any order that adds the two large
  // ones first gives 2.
  Slot slot("ssgd", settings_of(4, 0, 0), {10});
  slot.update({{1e8F}, {1}, {-1e8F}, {1}});
  CHECK(slot.weights() == std::vector<float>{10 - 1});
}

TEST_CASE("sync server: momentum SGD on the mean of a round") {
  // lr 0.5, momentum 0.25, decay 0.5: V = -0.5 ((1 + 3) / 2 + 0.5 * 4) = -2, W = 2;
  // then V = 0.25 * -2 - 0.5 ((0 + 2) / 2 + 0.5 * 2) = -1.5, W = 0.5.
  Slot slot("ssgd", settings_of(0.5F, 0.25F, 0.5F), {4});
  slot.update({{1}, {3}});
  CHECK(slot.weights() == std::vector<float>{2});
  slot.update({{0}, {2}});
  CHECK(slot.weights() == std::vector<float>{0.5F});
}

TEST_CASE("sync server: a push that is the sum of several gradients counts as so many") {
  Slot slot("ssgd", settings_of(0.5F, 0.25F, 0.5F), {4});
  slot.update({{4}}, 2);  // as above
  CHECK(slot.weights() == std::vector<float>{2});
  slot.update({{0}, {4}}, 2);  // the mean of 4
  CHECK(slot.weights() == std::vector<float>{0.5F});
}

TEST_CASE("sync server: weight decay spares what does not decay") {
  Slot slot("od-sgd", settings_of(0.5F, 0, 0.5F), {4}, false);
  slot.update({{2}});
  CHECK(slot.weights() == std::vector<float>{3});
}

TEST_CASE("servers: every float of a long slice is updated once, by each codec") {
  constexpr std::size_t kCount = 2500;  // more than two blocks of the fused loop, and no multiple
  for (const Codec codec : {Codec::kFloat32, Codec::kBfloat16, Codec::kFloat16, Codec::kTwoBit}) {
    CAPTURE(static_cast<int>(codec));
    std::vector<float> g(kCount);
    std::vector<std::byte> bytes(encoded_bytes(codec, kCount));
    if (codec == Codec::kTwoBit) {
      for (std::size_t i = 0; i < kCount; ++i) g[i] = static_cast<float>(i * i % 7 % 3) - 1;
      std::vector<float> residual(kCount);
      encode_two_bit(g, residual, 1, bytes);
    } else {
      for (std::size_t i = 0; i < kCount; ++i) g[i] = static_cast<float>(i % 256);  // 8 bits: exact
      encode(codec, g, bytes);
    }
    const Push push{.codec = codec, .body = Payload(bytes)};
    const std::vector<float> ones(kCount, 1);
    ServerSlice slice;
    slice.weights = ones;
    for (const std::string algorithm : {"ssgd", "asgd"}) {
      CAPTURE(algorithm);
      const ServerHalf half = find_algorithm(algorithm).make_server(settings_of(1, 0, 0));
      const std::vector<Push> pushes(half.takes_rounds ? 2 : 1, push);
      std::vector<float> updated(kCount);
      half.make_rule(kCount)->update(slice, pushes, updated);
      for (std::size_t i = 0; i < kCount; ++i) CHECK(updated[i] == 1 - g[i]);
    }
  }
}

TEST_CASE("sync server: a round may have pushes of several codecs, summed in worker order") {
  constexpr std::size_t kCount = 1100;
  // (1e8 + 1) - 1e8 = 0 in floats; another order gives 1.
  const std::vector<float> large(kCount, 1e8F);
  const std::vector<float> small(kCount, -1e8F);
  const std::vector<float> ones(kCount, 1);
  std::vector<float> residual(kCount);
  std::vector<std::byte> two_bit(encoded_bytes(Codec::kTwoBit, kCount));
  encode_two_bit(ones, residual, 1, two_bit);
  const std::vector<Push> pushes{{.worker = 0, .body = Payload(std::as_bytes(std::span(large)))},
                                 {.worker = 1, .codec = Codec::kTwoBit, .body = Payload(two_bit)},
                                 {.worker = 2, .body = Payload(std::as_bytes(std::span(small)))}};
  ServerSlice slice;
  slice.weights = ones;
  std::vector<float> updated(kCount);

  find_algorithm("ssgd")
      .make_server(settings_of(1, 0, 0))
      .make_rule(kCount)
      ->update(slice, pushes, updated);

  CHECK(updated == ones);
}

TEST_CASE("async server: applies each push at once, with one velocity for all workers") {
  // lr 0.5, momentum 0.5, decay 0.5: V = -0.5 (1 + 2) = -1.5, W = 2.5;
  // V = -0.75 - 0.5 (3 + 1.25) = -2.875, W = -0.375.
  CHECK_FALSE(find_algorithm("asgd").make_server({}).takes_rounds);
  Slot slot("asgd", settings_of(0.5F, 0.5F, 0.5F), {4});
  slot.update({{1}});
  CHECK(slot.weights() == std::vector<float>{2.5F});
  slot.update({{3}});
  CHECK(slot.weights() == std::vector<float>{-0.375F});
}
