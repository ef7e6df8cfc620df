#pragma once

#include <memory>
#include <optional>

#include "odsgd/algorithms/worker_rule.hpp"

namespace odsgd {

/// The worker of the rules whose servers apply each push at once: of asgd, dc-asgd and ssp.
///
///   g = gradient at w;  push g;  w = the newest weights, its own push included
///
/// With a bound s it begins step t only when the pushes of step t - s - 1 of every worker have been
/// applied, and step 0 with W^0; without one it waits for nobody, and begins with what is newest.
std::unique_ptr<WorkerRule> make_async_worker(const ParameterLayout& layout,
                                              std::optional<Clock> bound);

}  // namespace odsgd
