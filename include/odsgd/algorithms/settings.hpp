#pragma once

#include <string>
#include <vector>

#include "odsgd/base/types.hpp"

namespace odsgd {

/// OD-SGD's local update u, in w = W^t + u (see od_sgd.cpp).
enum class LocalRule {
  kNone,  ///< u = 0: pure delay by one step
  kSgd,   ///< momentum SGD with a local velocity
  kMc,    ///< momentum-corrected: the server's step, predicted with the worker's own gradient
};

/// Names on the command line, in the order of the enumerators.
const std::vector<std::string>& local_rule_names();
LocalRule local_rule_of(const std::string& name);

/// The numbers of an update rule. Learning rates are for the mean gradient: over the local batch in
/// a worker, over all workers as well in a synchronous server.
struct AlgorithmSettings {
  float lr = 0.05F;
  float momentum = 0.9F;
  float weight_decay = 1e-4F;  ///< on weights, not on biases

  LocalRule local_rule = LocalRule::kMc;
  float local_lr = 0.05F;
  float local_momentum = 0.9F;  ///< of LocalRule::kSgd
  Clock warmup_steps = 0;       ///< OD-SGD: first steps that run as SSGD
};

}  // namespace odsgd
