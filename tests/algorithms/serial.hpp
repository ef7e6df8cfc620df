#pragma once

#include <vector>

#include "odsgd/algorithms/settings.hpp"
#include "support/quadratic.hpp"

namespace odsgd::test {

/// What a serial training gave: W^t, and each worker's w_m^t, all parameters.
struct SerialTrace {
  std::vector<std::vector<double>> global;
  std::vector<std::vector<std::vector<double>>> local;
};

/// The reference: all workers and the server in one plain loop in double precision. OD-SGD with
/// warmup_steps = steps is SSGD.
SerialTrace serial_od_sgd(const Quadratic& problem, const AlgorithmSettings& settings, Clock steps);

/// The largest difference of any global or local weight.
double largest_difference(const std::vector<std::vector<float>>& got,
                          const std::vector<std::vector<double>>& want);

}  // namespace odsgd::test
