#pragma once

#include <memory>
#include <span>

#include "odsgd/algorithms/worker.hpp"

namespace odsgd {

/// The worker half of an algorithm: when it pushes and pulls, and what it computes with meanwhile.
/// Threads: the worker's compute thread.
class WorkerRule {
 public:
  virtual ~WorkerRule() = default;

  /// One iteration: gradient of the next batch, exchange, update. Steps are numbered from 0 without
  /// a gap.
  virtual StepResult step(Worker& me, Clock t) = 0;

  /// Waits for the global weights that all workers' first t steps gave: W^t, all parameters. To be
  /// called between steps t-1 and t, at the same t in all workers; it does not change what the
  /// steps compute. The weights stay valid until the next step; they may lie where the gradient
  /// was.
  virtual std::span<const float> global_weights(Worker& me, Clock t) = 0;
};

}  // namespace odsgd
