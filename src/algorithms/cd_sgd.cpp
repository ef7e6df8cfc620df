// CD-SGD: OD-SGD whose pushes are compressed (Xu et al., arXiv 2106.10796).
//
//   worker i:  as OD-SGD's; its local update takes the exact gradient
//              the push of step t is exact if t < T_w or (t + 1) mod k = 0, else in two bits a
//              number: r = r + g;  sent is threshold if r >= threshold, -threshold if r <=
//              -threshold, 0 otherwise;  r = r - sent
//   server:    as SSGD, with what was sent
//
// k = 1 never compresses: OD-SGD. An exact push leaves the residual r as it is. The threshold is
// for the worker's mean gradient.
//
// Bytes per worker and step: 1/k + (1 - 1/k)/16 of a model out, one in. It waits as OD-SGD.
#include <fmt/format.h>

#include "delayed_worker.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "sgd_server.hpp"

namespace odsgd {

Algorithm cd_sgd() {
  return {.name = "cd-sgd",
          .summary =
              "OD-SGD whose pushes are in two bits a number, exact every --correction-steps steps",
          .has_warmup = true,
          .has_local_update = true,
          .pushes_two_bits = true,
          .make_worker =
              [](const ParameterLayout& layout, const AlgorithmSettings& settings) {
                return make_delayed_worker(layout, settings,
                                           {.exact_every = settings.correction_steps});
              },
          .make_server =
              [](const AlgorithmSettings& settings) {
                return make_sgd_server(true, server_step_of(settings));
              },
          .describe =
              [](const AlgorithmSettings& s) {
                return fmt::format("pushes in 2 bits of {:g}, exact every {} steps", s.threshold,
                                   s.correction_steps);
              }};
}

}  // namespace odsgd
