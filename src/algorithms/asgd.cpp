// ASGD, asynchronous SGD (Dean et al., NIPS 2012), the other baseline.
//
//   worker m:  g = gradient at w;  push g;  w = the newest weights, its own push included
//   server:    on each push at once  V = momentum V - lr (g + decay W),  W = W + V, with one V for
//              all workers (sgd_server.hpp)
//
// Staleness: the updates by others between a worker's pull and the application of its push; M - 1
// when all are equally fast. An epoch makes M times as many updates as SSGD's, each at the full
// learning rate: on a quadratic of curvature a it is stable for lr a < 2 sin(pi / (2 (2 M - 1)))
// only, without momentum.
// Bytes per worker and step: one model each way. It waits, before the forward pass reads a key, for
// its own push and pull, and for nobody else.
#include "async_worker.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {

Algorithm asgd() {
  return {.name = "asgd",
          .summary = "asynchronous SGD: the servers apply each gradient as it comes",
          .is_synchronous = false,
          .make_worker =
              [](const ParameterLayout& layout, const AlgorithmSettings&) {
                return make_async_worker(layout, std::nullopt);
              },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return make_sgd_server(false, server_step_of(settings));
              }};
}

}  // namespace odsgd
