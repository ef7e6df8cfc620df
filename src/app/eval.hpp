#pragma once

#include "options.hpp"

namespace odsgd {

/// `odsgd eval`: evaluates the global weights that a finished run left in its log, and prints loss
/// and accuracy.
void evaluate_run(const EvalOptions& options);

}  // namespace odsgd
