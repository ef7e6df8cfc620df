#include "algorithms/serial.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace odsgd::test {

SerialServer::SerialServer(const Quadratic& problem, const AlgorithmSettings& settings)
    : layout_(problem.layout), settings_(settings), V_(problem.layout.floats()) {}

void SerialServer::step(Clock t, const Doubles& g, Doubles& W) {
  const double mu = settings_.momentum;
  for (Key k = 0; k < layout_.keys(); ++k) {
    const Parameter& p = layout_[k];
    const double lr = settings_.lr.at(t) * serial_ratio(settings_, p, W, g);
    const double wd = p.decays ? settings_.weight_decay : 0.0F;
    for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
      const double step = lr * (clipped_to(g[i], settings_.clip_value) + wd * W[i]);
      V_[i] = mu * V_[i] - step;
      W[i] += settings_.optimizer == Optimizer::kNesterov ? mu * V_[i] - step : V_[i];
    }
  }
}

double clipped_to(double x, double limit) { return std::clamp(x, -limit, limit); }

double serial_ratio(const AlgorithmSettings& settings, const Parameter& key, const Doubles& w,
                    const Doubles& g) {
  if (settings.optimizer != Optimizer::kLars || !key.decays) return 1;
  double w_squares = 0;
  double g_squares = 0;
  for (std::size_t i = key.offset; i < key.offset + key.count; ++i) {
    w_squares += w[i] * w[i];
    g_squares += std::pow(clipped_to(g[i], settings.clip_value), 2);
  }
  const double w_norm = std::sqrt(w_squares);
  return settings.lars_trust * w_norm / (std::sqrt(g_squares) + settings.weight_decay * w_norm);
}

Doubles serial_gradient(const Quadratic& problem, const AlgorithmSettings& settings, std::size_t m,
                        Clock t, const Doubles& w) {
  Doubles g(w.size());
  double squares = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    g[i] = problem.gradient(static_cast<int>(m), t, i, w[i]);
    squares += g[i] * g[i];
  }
  const double norm = std::sqrt(squares);
  if (norm > settings.clip_norm) {
    for (double& x : g) x *= settings.clip_norm / norm;
  }
  return g;
}

Doubles mean_of(const std::vector<Doubles>& vectors) {
  Doubles mean(vectors.front().size());
  for (const Doubles& v : vectors) {
    for (std::size_t i = 0; i < v.size(); ++i) mean[i] += v[i];
  }
  for (double& x : mean) x /= static_cast<double>(vectors.size());
  return mean;
}

SerialTrace empty_trace(const Quadratic& problem, Clock steps) {
  const Doubles initial(problem.initial.begin(), problem.initial.end());
  SerialTrace trace;
  trace.global.assign(steps + 1, initial);
  trace.local.assign(problem.a.size(), std::vector(steps, initial));
  return trace;
}

double largest_difference(const std::vector<std::vector<float>>& got,
                          const std::vector<Doubles>& want) {
  if (got.size() != want.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t t = 0; t < got.size(); ++t) {
    if (got[t].size() != want[t].size()) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < got[t].size(); ++i) {
      const double difference = std::abs(got[t][i] - want[t][i]);
      if (!(difference <= largest)) largest = difference;  // also when it is not a number
    }
  }
  return largest;
}

void check_follows(const Trace& got, const SerialTrace& want) {
  CHECK(largest_difference(got.global, want.global) < 1e-5);
  REQUIRE(got.local.size() == want.local.size());
  for (std::size_t m = 0; m < want.local.size(); ++m) {
    CAPTURE(m);
    CHECK(largest_difference(got.local[m], want.local[m]) < 1e-5);
  }
}

}  // namespace odsgd::test
