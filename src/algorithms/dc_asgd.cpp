// DC-ASGD: ASGD with delay compensation (Zheng et al., ICML 2017, arXiv 1609.08326).
//
//   worker m:  as ASGD's
//   server:    on each push at once, with B_m the weights that worker m was sent last and took its
//              gradient with:
//                constant   L = lambda
//                adaptive   MS_m = d MS_m + (1 - d) g g,  L = lambda / sqrt(MS_m + 1e-7)
//                g' = g + L g g (W - B_m)
//                V = momentum V - lr (g' + decay W),  W = W + V
//              products elementwise, g clipped. The paper has no momentum.
//
// One worker: W = B_m, so it is SGD. B_m is what was sent, kept and not copied: up to M models more
// on the servers, and another M with adaptive lambda.
// Bytes per worker and step, and waits: as ASGD.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "async_worker.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "odsgd/algorithms/sgd_step.hpp"
#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr float kMeanSquareEpsilon = 1e-7F;

class DcAsgdServer final : public ServerRule {
 public:
  DcAsgdServer(std::size_t count, const AlgorithmSettings& settings)
      : settings_(settings), velocity_(count) {
    if (settings.lambda_rule != LambdaRule::kAdaptive) return;
    for (int m = 0; m < settings.workers; ++m) mean_squares_.emplace_back(count);
  }

  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    const Push& push = pushes.front();
    const SgdStep step{.momentum = settings_.momentum,
                       .lr = settings_.lr.at(push.step),
                       .decay = slice.decays ? settings_.weight_decay : 0.0F};
    const std::span<const float> base = floats_of(push.base, updated.size());
    std::array<float, kBlock> g;
    for (std::size_t begin = 0; begin < updated.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, updated.size() - begin);
      decode(push.codec, push.body.bytes(), begin, std::span(g).first(n));
      const float* w = slice.weights.data() + begin;
      compensate(std::span(g).first(n), w, base.data() + begin, push.worker, begin);
      sgd_step(
          step, n, [&g](std::size_t i) { return g[i]; }, velocity_.data() + begin, w,
          updated.data() + begin);
    }
  }

 private:
  void compensate(std::span<float> g, const float* w, const float* base, int worker,
                  std::size_t begin) {
    const float clip = settings_.clip_value;
    const float lambda = settings_.lambda;
    if (mean_squares_.empty()) {
      for (std::size_t i = 0; i < g.size(); ++i) {
        const float x = clipped(g[i], clip);
        g[i] = x + lambda * x * x * (w[i] - base[i]);
      }
      return;
    }
    float* ms = mean_squares_[static_cast<std::size_t>(worker)].data() + begin;
    const float d = settings_.mean_square_decay;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const float x = clipped(g[i], clip);
      ms[i] = d * ms[i] + (1 - d) * x * x;
      g[i] = x + lambda / std::sqrt(ms[i] + kMeanSquareEpsilon) * x * x * (w[i] - base[i]);
    }
  }

  AlgorithmSettings settings_;
  AlignedBuffer<float> velocity_;
  std::vector<AlignedBuffer<float>> mean_squares_;  // by worker; adaptive only
};

}  // namespace

Algorithm dc_asgd() {
  return {.name = "dc-asgd",
          .summary = "ASGD whose servers correct each gradient for the weights' move meanwhile",
          .is_synchronous = false,
          .has_optimizer = false,
          .make_worker =
              [](const ParameterLayout& layout, const AlgorithmSettings&) {
                return make_async_worker(layout, std::nullopt);
              },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return ServerHalf{.takes_rounds = false,
                                  .keeps_bases = true,
                                  .make_rule = [=](std::size_t count) {
                                    return std::make_unique<DcAsgdServer>(count, settings);
                                  }};
              },
          .describe =
              [](const AlgorithmSettings& s) {
                return fmt::format("{} lambda {:g}",
                                   lambda_rule_names()[static_cast<std::size_t>(s.lambda_rule)],
                                   s.lambda);
              }};
}

}  // namespace odsgd
