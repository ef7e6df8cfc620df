#pragma once

#include <memory>

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/algorithms/worker_rule.hpp"

namespace odsgd {

/// How far a worker lets itself be from the global weights.
struct Delay {
  Clock pull_every = 1;   ///< k: local updates from one pull of weights to the next
  Clock exact_every = 1;  ///< pushes are in two bits a number, but every so many
};

/// The worker of the rules with a local update: of od-sgd, and with other delays of ssd-sgd, cd-sgd
/// and pipe-sgd. Each of these files says what the rule is; this one is how it is run.
///
///   t <= T_w:  w^t = W^t, waited for: warm-up, as SSGD
///   t >= T_w:  push g^t; w^{t+1} = b + u by LocalUpdate, from b = W^t when (t - T_w) mod k = 0 and
///              b = w^t otherwise; W^{t+1} is asked for with the push where step t + 1 starts from
///              it
///
/// Key by key, behind the gradient if W^t is there by then, or else before the forward pass of step
/// t + 1 reads the key.
std::unique_ptr<WorkerRule> make_delayed_worker(const ParameterLayout& layout,
                                                const AlgorithmSettings& settings, Delay delay);

}  // namespace odsgd
