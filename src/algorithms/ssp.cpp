// SSP, stale synchronous parallel (Ho et al., NIPS 2013), with bound s.
//
//   worker m:  as ASGD's, but step t begins only when every worker's pushes up to step t - s - 1
//              have been applied
//   server:    as ASGD's
//
// s = 0: all workers begin each step with the same weights, those of M updates; s without end:
// ASGD. Staleness: at most (M - 1) (2 s + 1) updates, usually about M - 1.
//
// Bytes per worker and step: one model each way. It waits as ASGD does, and for the slowest worker
// once that is more than s steps behind.
#include <fmt/format.h>

#include "async_worker.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {

Algorithm ssp() {
  return {.name = "ssp",
          .summary =
              "stale synchronous parallel: asynchronous, but no worker is ahead by more than "
              "--staleness steps",
          .is_synchronous = false,
          .make_worker =
              [](const ParameterLayout& layout, const AlgorithmSettings& settings) {
                return make_async_worker(layout, settings.staleness);
              },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return make_sgd_server(false, server_step_of(settings));
              },
          .describe =
              [](const AlgorithmSettings& s) {
                return fmt::format("at most {} steps ahead", s.staleness);
              }};
}

}  // namespace odsgd
