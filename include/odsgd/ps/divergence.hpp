#pragma once

#include <optional>
#include <span>

#include "odsgd/ps/server_rule.hpp"

namespace odsgd {

/// The first number that is not finite, in a gradient or in the weights that an update gave.
struct Divergence {
  Clock step = 0;  ///< of the pushes, counted from 0
  Key key = 0;
  int worker = -1;  ///< whose gradient it is; -1: the gradients are finite, the weights are not
  float value = 0;
};

/// Looks for it after an update of `key`; at the gradients only when a weight is not finite, as one
/// infinite gradient makes it.
std::optional<Divergence> find_divergence(Key key, std::span<const Push> pushes,
                                          std::span<const float> updated);

}  // namespace odsgd
