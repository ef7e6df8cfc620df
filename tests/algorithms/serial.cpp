#include "algorithms/serial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace odsgd::test {
namespace {

/// Global and local weights of one float over all steps; each float is a problem of its own.
void train_float(const Quadratic& problem, const AlgorithmSettings& s, double wd, std::size_t i,
                 SerialTrace& trace) {
  const auto M = static_cast<std::size_t>(problem.workers());
  const Clock steps = trace.global.size() - 1;
  double W = problem.initial[i];
  double W_previous = W;
  double V = 0;
  std::vector<double> w(M, W);
  std::vector<double> v(M, 0.0);
  std::vector<double> g(M);
  trace.global[0][i] = W;
  for (Clock t = 0; t < steps; ++t) {
    double sum = 0;
    for (std::size_t m = 0; m < M; ++m) {
      trace.local[m][t][i] = w[m];
      g[m] = problem.gradient(static_cast<int>(m), t, i, w[m]);
      sum += g[m];
    }
    V = s.momentum * V - s.lr.at(t) * (sum / static_cast<double>(M) + wd * W);
    const double W_next = W + V;
    for (std::size_t m = 0; m < M; ++m) {
      if (t < s.warmup_steps) {
        w[m] = W_next;
        continue;
      }
      const double step = s.local_lr.at(t) * (g[m] + wd * W);
      double u = 0;
      if (s.local_rule == LocalRule::kSgd) u = v[m] = s.local_momentum * v[m] - step;
      if (s.local_rule == LocalRule::kMc) u = s.momentum * (W - W_previous) - step;
      w[m] = W + u;
    }
    W_previous = W;
    W = W_next;
    trace.global[t + 1][i] = W;
  }
}

}  // namespace

SerialTrace serial_od_sgd(const Quadratic& problem, const AlgorithmSettings& settings,
                          Clock steps) {
  const std::vector<double> zeros(problem.layout.floats());
  SerialTrace trace;
  trace.global.assign(steps + 1, zeros);
  trace.local.assign(problem.a.size(), std::vector(steps, zeros));
  for (Key k = 0; k < problem.layout.keys(); ++k) {
    const Parameter& p = problem.layout[k];
    const double wd = p.decays ? static_cast<double>(settings.weight_decay) : 0.0;
    for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
      train_float(problem, settings, wd, i, trace);
    }
  }
  return trace;
}

double largest_difference(const std::vector<std::vector<float>>& got,
                          const std::vector<std::vector<double>>& want) {
  if (got.size() != want.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t t = 0; t < got.size(); ++t) {
    for (std::size_t i = 0; i < got[t].size(); ++i) {
      const double difference = std::abs(got[t][i] - want[t][i]);
      if (!(difference <= largest)) largest = difference;  // also when it is not a number
    }
  }
  return largest;
}

}  // namespace odsgd::test
