// ASGD and DC-ASGD with pushes in turn.
#include <cmath>

#include "algorithms/serial.hpp"

namespace odsgd::test {
namespace {

SerialTrace run(const Quadratic& problem, const AlgorithmSettings& s, Clock steps,
                bool compensates) {
  const std::size_t M = problem.a.size();
  SerialTrace trace = empty_trace(problem, steps);
  Doubles W = trace.global[0];
  trace.global.clear();
  SerialServer server(problem, s);
  std::vector<Doubles> w(M, W);  // what each worker was sent last
  std::vector<Doubles> MS(M, Doubles(W.size()));
  for (Clock t = 0; t < steps; ++t) {
    for (std::size_t m = 0; m < M; ++m) {
      trace.local[m][t] = w[m];
      Doubles g = serial_gradient(problem, s, m, t, w[m]);
      for (std::size_t i = 0; compensates && i < W.size(); ++i) {
        MS[m][i] = s.mean_square_decay * MS[m][i] + (1.0 - s.mean_square_decay) * g[i] * g[i];
        const double lambda = s.lambda_rule == LambdaRule::kConstant
                                  ? s.lambda
                                  : s.lambda / std::sqrt(MS[m][i] + 1e-7);
        g[i] += lambda * g[i] * g[i] * (W[i] - w[m][i]);
      }
      server.step(t, g, W);
      w[m] = W;
    }
  }
  return trace;
}

}  // namespace

SerialTrace serial_asgd(const Quadratic& problem, const AlgorithmSettings& s, Clock steps) {
  return run(problem, s, steps, false);
}

SerialTrace serial_dc_asgd(const Quadratic& problem, const AlgorithmSettings& s, Clock steps) {
  return run(problem, s, steps, true);
}

}  // namespace odsgd::test
