// The server half of SSGD and OD-SGD: momentum SGD on the mean of one round's M gradients.
//
//   V^{t+1} = momentum V^t - lr ( (1/M) sum_m g_m^t + decay W^t ),   W^{t+1} = W^t + V^{t+1}
//
// The sum runs in worker order whatever the order of arrival, so a run gives the same bits every
// time. One pass reads the M payloads, V and W and writes V and the new W; with other codecs or
// more workers than the loop is unrolled for, the sums of a block are made first.
#include <algorithm>
#include <array>
#include <utility>

#include "odsgd/algorithms/sgd_step.hpp"
#include "rules.hpp"

namespace odsgd {
namespace {

constexpr std::size_t kMostUnrolled = 8;

/// The round of one slice.
struct Round {
  SgdStep step;
  float scale;  // 1/M
  std::span<const Push> pushes;
  float* v;
  const float* w;
  float* updated;
  std::size_t count;
};

/// M payloads of float32.
template <std::size_t M>
void update_floats(const Round& r) {
  std::array<const float*, M> g;
  for (std::size_t m = 0; m < M; ++m) {
    g[m] = reinterpret_cast<const float*>(r.pushes[m].body.bytes().data());
  }
  const SgdStep s = r.step;
  const float scale = r.scale;
  float* v = r.v;
  const float* w = r.w;
  float* updated = r.updated;
#pragma GCC ivdep  // w and updated are the same memory or apart: no element is read after its write
  for (std::size_t i = 0; i < r.count; ++i) {
    float sum = g[0][i];
    for (std::size_t m = 1; m < M; ++m) sum += g[m][i];
    v[i] = sgd_velocity(s.momentum, v[i], s.lr, sum * scale, s.decay, w[i]);
    updated[i] = w[i] + v[i];
  }
}

/// Any number of payloads of any codec.
void update_blocks(const Round& r) {
  constexpr std::size_t kBlock = 1024;  // its sums stay in the first-level cache
  std::array<float, kBlock> sums;
  for (std::size_t begin = 0; begin < r.count; begin += kBlock) {
    const std::size_t n = std::min(kBlock, r.count - begin);
    const std::span<float> sum(sums.data(), n);
    decode(r.pushes[0].codec, r.pushes[0].body.bytes(), begin, sum);
    for (const Push& push : r.pushes.subspan(1)) {
      decode_add(push.codec, push.body.bytes(), begin, sum);
    }
    sgd_step(r.step, n, sum.data(), r.scale, r.v + begin, r.w + begin, r.updated + begin);
  }
}

using Update = void (*)(const Round&);

template <std::size_t... I>
constexpr std::array<Update, sizeof...(I)> unrolled(std::index_sequence<I...> /*counts*/) {
  return {update_floats<I + 1>...};
}
constexpr auto kUnrolled = unrolled(std::make_index_sequence<kMostUnrolled>());  // by M - 1

Update update_of(std::span<const Push> pushes) {
  const bool is_float32 = std::all_of(
      pushes.begin(), pushes.end(), [](const Push& push) { return push.codec == Codec::kFloat32; });
  const bool is_unrolled = is_float32 && pushes.size() <= kMostUnrolled;
  return is_unrolled ? kUnrolled[pushes.size() - 1] : update_blocks;
}

class SyncServerRule final : public ServerRule {
 public:
  SyncServerRule(std::size_t count, const AlgorithmSettings& settings)
      : settings_(settings), velocity_(count) {}

  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    update_of(pushes)(
        {.step = {settings_.momentum, settings_.lr, slice.decays ? settings_.weight_decay : 0.0F},
         .scale = 1.0F / static_cast<float>(pushes.size()),
         .pushes = pushes,
         .v = velocity_.data(),
         .w = slice.weights.data(),
         .updated = updated.data(),
         .count = updated.size()});
  }

 private:
  AlgorithmSettings settings_;
  AlignedBuffer<float> velocity_;
};

}  // namespace

ServerHalf make_sync_server(const AlgorithmSettings& settings) {
  return {.takes_rounds = true, .make_rule = [=](std::size_t count) {
            return std::make_unique<SyncServerRule>(count, settings);
          }};
}

}  // namespace odsgd
