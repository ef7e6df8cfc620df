#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "odsgd/bench/step_prediction.hpp"

namespace odsgd {

/// Time that one message of a layer takes in each of the three queues.
struct MessageCosts {
  double push_s = 0;
  double server_s = 0;
  double pull_s = 0;
};

/// Of one message to or from one server.
struct MessageBytes {
  double push = 0;
  double pull = 0;
};

/// The exchange of one layer.
struct LayerMessages {
  int messages = 0;  ///< of one step; 0: nothing to exchange
  MessageBytes bytes;
  MessageCosts costs;
};

/// How messages travel, in either direction.
struct Way {
  double latency_s = 0;
  SendOrder order = SendOrder::kFirstReady;
  double window_bytes = 0;  ///< under way, where nothing overtakes; one message always is
};

/// What a worker does, one after the other.
struct Operation {
  enum class Kind {
    kCompute,
    kPush,
    kAwait,  ///< in step t: until the layer's weights W^{t - lag} are there
  };
  Kind kind;
  std::size_t layer;
  double seconds = 0;
  std::size_t lag = 0;
};

/// What a worker does in every step.
std::vector<Operation> operations_of(std::span<const LayerLoad> loads,
                                     const std::vector<LayerMessages>& layers, Schedule schedule);

/// Plays some steps of a worker that does `operations` in each, and three queues; the mean time of
/// the last ones.
double simulate_step_s(const std::vector<LayerMessages>& layers,
                       const std::vector<Operation>& operations, const Way& way);

}  // namespace odsgd
