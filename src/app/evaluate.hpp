#pragma once

#include <functional>
#include <span>

#include "odsgd/data/dataset.hpp"
#include "odsgd/data/sampling.hpp"
#include "odsgd/nn/network.hpp"

namespace odsgd {

/// Loss and accuracy sums of the network with these weights over a range of a split's samples, each
/// counted once. `before_batch` may throw to end it.
EvaluationSums evaluate(Network& network, const DatasetInfo& info, const Split& split,
                        std::span<const float> weights, Range range,
                        const std::function<void()>& before_batch = {});

}  // namespace odsgd
