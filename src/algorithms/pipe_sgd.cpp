// Pipe-SGD of width 2 (Li et al., NeurIPS 2018): every step applies the mean gradient of the step
// before.
//
//   worker i, step t:  g_i^t = gradient at W^{t-1};  push it and ask for W^{t+1}
//   in warm-up, t <= T_w, as SSGD;  server: as SSGD
//
// It is OD-SGD with the local rule none. The paper exchanges by allreduce: so does
// --exchange allreduce.
//
// Bytes per worker and step, and waits: as OD-SGD.
#include "delayed_worker.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {

Algorithm pipe_sgd() {
  return {.name = "pipe-sgd",
          .summary = "pipelined SGD: every gradient is taken one step late, with no local update",
          .has_warmup = true,
          .make_worker =
              [](const ParameterLayout& layout, const AlgorithmSettings& settings) {
                AlgorithmSettings delayed = settings;
                delayed.local_rule = LocalRule::kNone;
                return make_delayed_worker(layout, delayed, {});
              },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return make_sgd_server(true, server_step_of(settings));
              }};
}

}  // namespace odsgd
