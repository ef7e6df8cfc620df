// OD-SGD, SSD-SGD and CD-SGD: one loop with other pulls and pushes.
#include <algorithm>
#include <cmath>

#include "algorithms/serial.hpp"
#include "algorithms/serial_local_step.hpp"

namespace odsgd::test {
namespace {

struct Loop {
  Clock pull_every = 1;
  Clock exact_every = 1;
};

/// What the 2-bit codec makes of g, with a worker's residual r.
Doubles quantized(const Doubles& g, double theta, Doubles& r, SerialTrace& trace) {
  Doubles sent(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    r[i] += g[i];
    trace.nearest_tie = std::min(trace.nearest_tie, std::abs(std::abs(r[i]) - theta));
    if (r[i] >= theta) sent[i] = theta;
    if (r[i] <= -theta) sent[i] = -theta;
    r[i] -= sent[i];
    ++trace.codes[sent[i] < 0 ? 0 : sent[i] > 0 ? 2 : 1];
  }
  return sent;
}

SerialTrace run(const Quadratic& problem, const AlgorithmSettings& s, Clock steps, Loop loop) {
  const std::size_t M = problem.a.size();
  SerialTrace trace = empty_trace(problem, steps);
  Doubles W = trace.global[0];
  SerialServer server(problem, s);
  std::vector<Doubles> w(M, W);
  std::vector<Doubles> r(M, Doubles(W.size()));
  std::vector<SerialLocalStep> local(M, {problem, s, loop.pull_every});
  for (Clock t = 0; t < steps; ++t) {
    std::vector<Doubles> g(M);
    std::vector<Doubles> sent(M);
    for (std::size_t m = 0; m < M; ++m) {
      trace.local[m][t] = w[m];
      g[m] = serial_gradient(problem, s, m, t, w[m]);
      const bool is_exact = t < s.warmup_steps || (t + 1) % loop.exact_every == 0;
      sent[m] = is_exact ? g[m] : quantized(g[m], s.threshold, r[m], trace);
    }
    server.step(t, mean_of(sent), W);
    trace.global[t + 1] = W;
    for (std::size_t m = 0; m < M; ++m) {
      if (t < s.warmup_steps) {
        w[m] = W;
      } else {
        local[m].step(t, trace.global, g[m], w[m]);
      }
    }
  }
  return trace;
}

}  // namespace

SerialTrace serial_od_sgd(const Quadratic& problem, const AlgorithmSettings& settings,
                          Clock steps) {
  return run(problem, settings, steps, {});
}

SerialTrace serial_ssd_sgd(const Quadratic& problem, const AlgorithmSettings& settings,
                           Clock steps) {
  return run(problem, settings, steps, {.pull_every = settings.delay_steps});
}

SerialTrace serial_cd_sgd(const Quadratic& problem, const AlgorithmSettings& settings,
                          Clock steps) {
  return run(problem, settings, steps, {.exact_every = settings.correction_steps});
}

}  // namespace odsgd::test
