// One pass reads the M payloads, V and W and writes V and the new W; with other codecs or more
// workers than the loop is unrolled for, the sums of a block are made first.
#include "sgd_server.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "odsgd/algorithms/norm.hpp"
#include "odsgd/algorithms/sgd_step.hpp"
#include "odsgd/base/aligned_buffer.hpp"

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
  const float scale = r.scale;
  const auto mean = [g, scale](std::size_t i) {
    float sum = g[0][i];
    for (std::size_t m = 1; m < M; ++m) sum += g[m][i];
    return sum * scale;
  };
  sgd_step(r.step, r.count, mean, r.v, r.w, r.updated);
}

constexpr std::size_t kBlock = 1024;  // its sums stay in the first-level cache

/// The mean gradient, block by block, of any number of payloads of any codec: use(begin, span).
template <class Use>
void for_each_block(const Round& r, Use use) {
  std::array<float, kBlock> sums;
  for (std::size_t begin = 0; begin < r.count; begin += kBlock) {
    const std::size_t n = std::min(kBlock, r.count - begin);
    const std::span<float> sum(sums.data(), n);
    decode(r.pushes[0].codec, r.pushes[0].body.bytes(), begin, sum);
    for (const Push& push : r.pushes.subspan(1)) {
      decode_add(push.codec, push.body.bytes(), begin, sum);
    }
    for (float& g : sum) g *= r.scale;
    use(begin, std::span<const float>(sum));
  }
}

void update_blocks(const Round& r) {
  for_each_block(r, [&](std::size_t begin, std::span<const float> g) {
    sgd_step(
        r.step, g.size(), [&g](std::size_t i) { return g[i]; }, r.v + begin, r.w + begin,
        r.updated + begin);
  });
}

/// By what lars multiplies the learning rate.
float lars_ratio_of(const Round& r, double trust) {
  double g_squares = 0;
  for_each_block(r, [&](std::size_t, std::span<const float> g) {
    g_squares +=
        sum_of_squares(g.size(), [&](std::size_t i) { return clipped(g[i], r.step.clip); });
  });
  const double w_squares = sum_of_squares(r.count, [&](std::size_t i) { return r.w[i]; });
  return lars_ratio(trust, std::sqrt(w_squares), std::sqrt(g_squares), r.step.decay);
}

/// Whose gradients the pushes hold: each may be the sum of several.
int workers_in(std::span<const Push> pushes) {
  int workers = 0;
  for (const Push& push : pushes) workers += push.workers;
  return workers;
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

class SgdServerRule final : public ServerRule {
 public:
  SgdServerRule(std::size_t count, const ServerStep& step) : step_(step), velocity_(count) {}

  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    Round round{.step = {.momentum = step_.momentum,
                         .lr = step_.lr.at(pushes.front().step),
                         .decay = slice.decays ? step_.weight_decay : 0.0F,
                         .clip = step_.clip,
                         .is_nesterov = step_.optimizer == Optimizer::kNesterov},
                .scale = 1.0F / static_cast<float>(workers_in(pushes)),
                .pushes = pushes,
                .v = velocity_.data(),
                .w = slice.weights.data(),
                .updated = updated.data(),
                .count = updated.size()};
    if (step_.optimizer == Optimizer::kLars && slice.decays) {
      round.step.lr *= lars_ratio_of(round, step_.lars_trust);
    }
    update_of(pushes)(round);
  }

 private:
  ServerStep step_;
  AlignedBuffer<float> velocity_;
};

}  // namespace

ServerStep server_step_of(const AlgorithmSettings& settings) {
  return {.lr = settings.lr,
          .momentum = settings.momentum,
          .weight_decay = settings.weight_decay,
          .clip = settings.clip_value,
          .optimizer = settings.optimizer,
          .lars_trust = settings.lars_trust};
}

ServerHalf make_sgd_server(bool takes_rounds, const ServerStep& step) {
  return {
      .takes_rounds = takes_rounds,
      .needs_whole_keys = step.optimizer == Optimizer::kLars,
      .make_rule = [=](std::size_t count) { return std::make_unique<SgdServerRule>(count, step); }};
}

}  // namespace odsgd
