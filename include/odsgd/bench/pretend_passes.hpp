#pragma once

#include <cstdint>
#include <vector>

#include "odsgd/algorithms/worker.hpp"
#include "odsgd/base/random.hpp"
#include "odsgd/bench/network_table.hpp"
#include "odsgd/compute/pretend_time.hpp"

namespace odsgd {

/// How a worker of a benchmark computes: it sleeps, as a host does that waits for a GPU.
struct PretendCompute {
  double step_s = 0;          ///< forward and backward together
  double jitter_percent = 0;  ///< each step is longer or shorter, at random, by at most so much
  bool by_layer = true;  ///< gradients come as backward has them; otherwise all at the end, and
                         ///< all weights are wanted at the beginning
};

/// The forward and backward passes of a network that is known by its table alone: the time of the
/// step is spread over the layers as their operations are, a third of it forward. Gradients stay
/// what they are. Threads: one; tests bring a clock.
class PretendPasses {
 public:
  PretendPasses(const NetworkTable& table, const PretendCompute& compute, std::uint64_t seed,
                SleepClock clock = host_clock());

  /// One step, with the callbacks of a GradientFunction.
  void step(const KeyHooks& hooks);

 private:
  struct Layer {
    Key first_key;
    Key last_key;  // one past
    double share;  // of all operations
  };

  std::vector<Layer> layers_;
  PretendCompute compute_;
  PretendTime time_;
  Random random_;
  std::uint64_t steps_ = 0;
};

}  // namespace odsgd
