#pragma once

#include <string>

#include "support/training.hpp"

namespace odsgd::test {

/// A training in whose settings no two rates or strengths are alike, so that none can stand in for
/// another; rounds of 3 steps and pulls every 3rd, no warm-up, one server.
Setup distinct_setup(const std::string& algorithm, int workers, Clock steps);

/// Worker m's a and c of a float are those of one of seven classes of floats. No noise. So a
/// training has few different numbers, and none need lie near a threshold.
Quadratic seven_classes(int workers);

/// One float whose gradient is exactly g in every worker, whatever its weight is: c is so far that
/// w is lost beside it. W^0 = 0.
Quadratic constant_gradient(float g, int workers);

}  // namespace odsgd::test
