#pragma once

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/ps/server_rule.hpp"

namespace odsgd {

/// How a server makes a step from the mean of gradients, or what is pushed in place of gradients.
struct ServerStep {
  LrSchedule lr;
  float momentum = 0;
  float weight_decay = 0;
  float clip = std::numeric_limits<float>::infinity();
  Optimizer optimizer = Optimizer::kSgd;
  float lars_trust = 0;
};

/// With the lr, momentum, ... of the settings.
ServerStep server_step_of(const AlgorithmSettings& settings);

/// The server half of most rules: a step by the mean of one round's M pushes, or by each push
/// alone.
///
///   g = clip( (1/M) sum_m g_m ),  V = momentum V - lr ( g + decay W ),
///   W = W + V, or with Nesterov's momentum  W = W + momentum V - lr ( g + decay W )
///
/// lr is that of the pushes' step, and with lars times trust |W| / ( |g| + decay |W| ), norms over
/// the key. The sum runs in worker order whatever the order of arrival, so a run gives the same
/// bits every time. State: V.
ServerHalf make_sgd_server(bool takes_rounds, const ServerStep& step);

}  // namespace odsgd
