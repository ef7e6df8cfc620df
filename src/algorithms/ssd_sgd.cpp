// SSD-SGD: OD-SGD that pulls every k-th step only (Xu et al., arXiv 2012.05396).
//
//   worker i, step t:  g_i^t = gradient at w_i^t;  push it
//                      b = W^t if (t - T_w) mod k = 0, else w_i^t;  w_i^{t+1} = b + u
//                      if (t + 1 - T_w) mod k = 0, ask for W^{t+1}
//   in warm-up, t <= T_w, as SSGD;  server: as SSGD
//
// Local updates accumulate from pull to pull. k = 1 is OD-SGD. The authors' local rule is glu
// (local_update.hpp), which mixes in the mean global gradient that two pulls show. They acknowledge
// every push; here a worker may be k steps ahead of the slowest.
//
// Bytes per worker and step: one model out, 1/k in. It waits for a pull once in k steps, as OD-SGD.
#include <fmt/format.h>

#include "delayed_worker.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {

Algorithm ssd_sgd() {
  return {
      .name = "ssd-sgd",
      .summary = "OD-SGD that pulls weights every --delay-steps steps and goes on locally between",
      .has_warmup = true,
      .has_local_update = true,
      .make_worker =
          [](const ParameterLayout& layout, const AlgorithmSettings& settings) {
            return make_delayed_worker(layout, settings, {.pull_every = settings.delay_steps});
          },
      .make_server =
          [](const AlgorithmSettings& settings) {
            ServerHalf half = make_sgd_server(true, server_step_of(settings));
            half.most_ahead = settings.delay_steps;
            return half;
          },
      .describe =
          [](const AlgorithmSettings& s) {
            return fmt::format("a pull every {} steps", s.delay_steps);
          }};
}

}  // namespace odsgd
