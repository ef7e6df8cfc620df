#pragma once

#include "algorithms/serial.hpp"

namespace odsgd::test {

/// One worker's local steps after warm-up, w^{t+1} = b + u: b is W^t in steps that follow a pull,
/// one in `pull_every`, and otherwise w^t.
class SerialLocalStep {
 public:
  SerialLocalStep(const Quadratic& problem, const AlgorithmSettings& settings, Clock pull_every);

  /// `global` holds W^0 to at least W^t, g the worker's gradient at w; `w` becomes w^{t+1}.
  void step(Clock t, const std::vector<Doubles>& global, const Doubles& g, Doubles& w);

 private:
  Doubles displacement(const Doubles& b, const Doubles& w);
  const Doubles& pulled_before(Clock t, const std::vector<Doubles>& global) const;

  const ParameterLayout& layout_;
  const AlgorithmSettings& settings_;
  Clock pull_every_;
  Doubles P_;   // b of the step before; empty at first
  Doubles v_;   // velocity
  Doubles MS_;  // mean square
};

}  // namespace odsgd::test
