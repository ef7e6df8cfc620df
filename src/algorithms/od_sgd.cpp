// OD-SGD: one-step-delay SGD (Xu, Dong, Xu, Liao, ACM TACO 2020, arXiv 2005.06728).
//
//   worker i, step t:  g_i^t = gradient at w_i^t;  push it and ask for W^{t+1}
//                      w_i^{t+1} = W^t + u, from g_i^t: the local update (local_update.hpp)
//   in warm-up, t <= T_w, as SSGD:  w_i^t = W^t, waited for
//   server:            as SSGD (sgd_server.hpp)
//
// The local rule mc with lr' = lr is the server's step with the worker's own gradient in place of
// the mean, so it keeps SSGD's range of stable learning rates under server momentum. The authors'
// rules are sgd without momentum, dc-c and dc-a. dc-norm is DC-S3GD's compensation, kept to the
// local update; dc_s3gd.cpp pushes it too.
//
// Bytes per worker and step: one model each way, as SSGD. Before the forward pass of step t reads a
// key, and no earlier, it waits for a pull that was sent in the backward pass of step t-2: exchange
// and server update have the whole of step t-1 to hide behind (delayed_worker.hpp).
#include "delayed_worker.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {

Algorithm od_sgd() {
  return {.name = "od-sgd",
          .summary = "one-step-delay SGD: synchronous on the servers, no waiting in the workers",
          .has_warmup = true,
          .has_local_update = true,
          .make_worker =
              [](const ParameterLayout& layout, const AlgorithmSettings& settings) {
                return make_delayed_worker(layout, settings, {});
              },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return make_sgd_server(true, server_step_of(settings));
              }};
}

}  // namespace odsgd
