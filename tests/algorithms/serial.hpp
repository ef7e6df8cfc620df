#pragma once

// The update rules as plain loops in double precision over all workers and the server, written from
// their formulas.

#include <array>
#include <limits>
#include <vector>

#include "odsgd/algorithms/settings.hpp"
#include "support/quadratic.hpp"
#include "support/training.hpp"

namespace odsgd::test {

using Doubles = std::vector<double>;

/// What a serial training gave: W^t, and each worker's w_m^t, all parameters.
struct SerialTrace {
  std::vector<Doubles> global;
  std::vector<std::vector<Doubles>> local;  ///< [worker][t]

  // Of cd-sgd: how often -theta, 0 and theta were sent, and how near a residual came to a change of
  // its code. Were that nearly 0, floats could round to the other side.
  std::array<std::size_t, 3> codes{};
  double nearest_tie = std::numeric_limits<double>::infinity();
};

/// OD-SGD. With warmup_steps = steps it is SSGD, with LocalRule::kNone pipe-sgd.
SerialTrace serial_od_sgd(const Quadratic& problem, const AlgorithmSettings& settings, Clock steps);
SerialTrace serial_ssd_sgd(const Quadratic& problem, const AlgorithmSettings& settings,
                           Clock steps);
SerialTrace serial_cd_sgd(const Quadratic& problem, const AlgorithmSettings& settings, Clock steps);

/// Global weights between two exchanges are those of the last; the last step ends with one.
SerialTrace serial_local_sgd(const Quadratic& problem, const AlgorithmSettings& settings,
                             Clock steps);
SerialTrace serial_easgd(const Quadratic& problem, const AlgorithmSettings& settings, Clock steps);

/// ASGD whose pushes come in turn: worker 0, 1, ..., 0, 1, ...; each then takes the new weights.
/// `global` stays empty.
SerialTrace serial_asgd(const Quadratic& problem, const AlgorithmSettings& settings, Clock steps);
SerialTrace serial_dc_asgd(const Quadratic& problem, const AlgorithmSettings& settings,
                           Clock steps);

/// The largest difference of any weight; infinite when there are not equally many.
double largest_difference(const std::vector<std::vector<float>>& got,
                          const std::vector<Doubles>& want);

/// Checks that all global and local weights are within 1e-5.
void check_follows(const Trace& got, const SerialTrace& want);

/// Parts of the loops above.
class SerialServer {
 public:
  explicit SerialServer(const Quadratic& problem, const AlgorithmSettings& settings);

  /// W after a step by the gradient g of step t.
  void step(Clock t, const Doubles& g, Doubles& W);

 private:
  const ParameterLayout& layout_;
  const AlgorithmSettings& settings_;
  Doubles V_;
};

/// Worker m's gradient of step t at w, not longer than clip_norm.
Doubles serial_gradient(const Quadratic& problem, const AlgorithmSettings& settings, std::size_t m,
                        Clock t, const Doubles& w);

Doubles mean_of(const std::vector<Doubles>& vectors);

double clipped_to(double x, double limit);

/// What a learning rate of the key is multiplied by: 1, or LARS's ratio for its gradient g, which
/// is clipped first.
double serial_ratio(const AlgorithmSettings& settings, const Parameter& key, const Doubles& w,
                    const Doubles& g);

SerialTrace empty_trace(const Quadratic& problem, Clock steps);

}  // namespace odsgd::test
