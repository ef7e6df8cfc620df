#pragma once

#include <limits>
#include <span>
#include <vector>

#include "odsgd/bench/network_table.hpp"

namespace odsgd {

/// What one layer costs a worker in one step.
struct LayerLoad {
  double forward_s = 0;
  double backward_s = 0;
  double update_s = 0;    ///< its local step, by the computing thread; OD-SGD alone has one
  double push_bytes = 0;  ///< one worker's, to all servers together
  double pull_bytes = 0;  ///< 0 both: nothing to exchange
};

/// The ranks' links and the servers. All workers are equal, and every key is split evenly over the
/// servers, which are ranks of their own.
struct LinkModel {
  int workers = 1;
  int servers = 1;
  double worker_bytes_per_s = 0;  ///< of a worker's link in each direction, at the same time
  double server_bytes_per_s = 0;  ///< of a server's
  double latency_s = 0;           ///< from the end of sending to the end of receiving
  /// Gradients that one server can sum and apply.
  double aggregate_bytes_per_s = std::numeric_limits<double>::infinity();
  double message_bytes = 512 * 1024;  ///< longest message between one worker and one server
  /// What a receiver lets come at a time from one sender: messages under way, which no other
  /// overtakes. At least one message always is.
  double window_bytes = 0;
};

/// When a worker pushes and what it waits for.
enum class Schedule {
  kSsgd,   ///< forward of a layer waits for its pull
  kAsgd,   ///< the same, but no worker waits for another
  kOdSgd,  ///< forward waits for the pull of the step before the last, and does the local step
  kOdSgdOneBuffer,  ///< as the authors: behind a gradient, wait for the last pull, push, local step
};

/// Which of the messages that wait for a link goes first.
enum class SendOrder {
  kFirstReady,
  kFirstLayer,  ///< that of the layer nearest to the input; what is under way stays before it
};

/// One step in the steady state.
struct StepPrediction {
  double step_s = 0;
  double compute_s = 0;  ///< forward, backward and local update
  double wait_s = 0;     ///< step_s - compute_s: what of the exchange is not hidden
  double push_s = 0;     ///< the slower of worker's and server's link is busy with pushes
  double server_s = 0;   ///< a server is busy with updates
  double pull_s = 0;     ///< as push_s
};

/// Plays some steps of one worker, for all are equal, against three queues in a row: pushes, server
/// and pulls. Each serves one message at a time; the latency delays a message and occupies nothing.
///
/// A message occupies the links of both its ends at once, for
///   bytes max(1 / worker bandwidth, workers / (servers server bandwidth)):
/// flow control makes the slower end set the pace. ASGD's workers do not meet at the server: each
/// takes the time of a worker alone, or its share of a server that is busy all the time.
/// `layers` is in the order of the forward pass. Deterministic. Throws Error on a quantity out of
/// range, by name.
StepPrediction predict_step(std::span<const LayerLoad> layers, const LinkModel& link,
                            Schedule schedule, SendOrder order = SendOrder::kFirstReady);

/// The layers of a network, full-precision floats each way; its times are shared out, those of the
/// passes by operations and that of the update by floats.
std::vector<LayerLoad> layer_loads(const NetworkTable& table, double forward_s, double backward_s,
                                   double update_s);

}  // namespace odsgd
