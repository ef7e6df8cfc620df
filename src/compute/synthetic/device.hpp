#pragma once

#include <cstdint>

#include "odsgd/base/random.hpp"
#include "odsgd/compute/backend.hpp"
#include "odsgd/compute/pretend_time.hpp"

namespace odsgd::synthetic {

/// What the ops of one backend share: how long a step takes, and over how many operations that time
/// is spread.
///
/// Operations of a step, F being those of a layer's forward pass: F forward; backward F for the
/// gradient of the weights, and F for dx where somebody asks for it. Nobody does at the first layer
/// that has weights.
class Device {
 public:
  Device(const DeviceOptions& options, SleepClock clock);

  /// Counts a layer in; in the order of the network, all before the first step.
  void add_layer(double forward_flops);

  /// A step begins, the number `steps so far` of (seed, worker).
  void begin_step();

  /// Takes the time of so many operations of the step.
  void compute(double flops);

 private:
  double step_s_;
  double jitter_;  // share of step_s_, in [0, 1]
  Random random_;
  PretendTime time_;
  double step_flops_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace odsgd::synthetic
