// Local SGD and EASGD: workers that step on their own between exchanges.
#include <functional>

#include "algorithms/serial.hpp"

namespace odsgd::test {
namespace {

/// Steps of all workers on their own x, and an exchange after every H-th and after the last.
SerialTrace run(const Quadratic& problem, const AlgorithmSettings& s, Clock steps,
                const std::function<void(std::vector<Doubles>& x, Doubles& W)>& exchange) {
  const std::size_t M = problem.a.size();
  SerialTrace trace = empty_trace(problem, steps);
  Doubles W = trace.global[0];
  std::vector<Doubles> x(M, W);
  std::vector<Doubles> v(M, Doubles(W.size()));
  for (Clock t = 0; t < steps; ++t) {
    for (std::size_t m = 0; m < M; ++m) {
      trace.local[m][t] = x[m];
      const Doubles g = serial_gradient(problem, s, m, t, x[m]);
      for (Key k = 0; k < problem.layout.keys(); ++k) {
        const Parameter& p = problem.layout[k];
        const double wd = p.decays ? s.weight_decay : 0.0F;
        for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
          v[m][i] = s.local_momentum * v[m][i] -
                    s.local_lr.at(t) * (clipped_to(g[i], s.clip_value) + wd * x[m][i]);
          x[m][i] += v[m][i];
        }
      }
    }
    if ((t + 1) % s.local_steps == 0 || t + 1 == steps) exchange(x, W);
    trace.global[t + 1] = W;
  }
  return trace;
}

}  // namespace

SerialTrace serial_local_sgd(const Quadratic& problem, const AlgorithmSettings& s, Clock steps) {
  Doubles V(problem.layout.floats());
  return run(problem, s, steps, [&](std::vector<Doubles>& x, Doubles& W) {
    const Doubles mean = mean_of(x);
    for (std::size_t i = 0; i < W.size(); ++i) {
      const double difference = W[i] - mean[i];
      V[i] = s.outer_momentum * V[i] + difference;
      W[i] -= s.outer_lr * (difference + s.outer_momentum * V[i]);  // Nesterov, as in DiLoCo
    }
    for (Doubles& mine : x) mine = W;
  });
}

SerialTrace serial_easgd(const Quadratic& problem, const AlgorithmSettings& s, Clock steps) {
  return run(problem, s, steps, [&](std::vector<Doubles>& x, Doubles& z) {
    const double alpha = s.elastic_alpha;
    for (std::size_t i = 0; i < z.size(); ++i) {
      double pull = 0;
      for (Doubles& mine : x) {
        pull += alpha * (mine[i] - z[i]);
        mine[i] -= alpha * (mine[i] - z[i]);
      }
      z[i] += pull;
    }
  });
}

}  // namespace odsgd::test
