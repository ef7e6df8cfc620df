#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/bench/meeting.hpp"
#include "odsgd/bench/network_table.hpp"
#include "odsgd/bench/pretend_passes.hpp"
#include "odsgd/bench/samples.hpp"
#include "odsgd/ps/roles.hpp"
#include "odsgd/ps/settings.hpp"

namespace odsgd {

/// One run of the parameter server to be measured; the same on all ranks.
struct RunPlan {
  NetworkTable table;
  Roles roles;
  std::size_t message_floats = 0;
  ExchangeSettings exchange{};
  int warmup_steps = 3;  ///< not measured
  int steps = 20;

  /// The update rules' name; empty: no rule, the keys are pushed and pulled as fast as they come.
  std::string algorithm{};
  PretendCompute compute{};
  double straggler = 1;  ///< by how much the last worker computes longer than the others
};

/// Where a rank's time went; seconds a step on average. What does not apply to its role is 0.
struct RankTimes {
  double step_s = 0;
  double compute_s = 0;
  double wait_s = 0;    ///< exposed
  double update_s = 0;  ///< worker: local updates; server: the update rule
  double post_s = 0;
  double push_s = 0;  ///< in flight
  double pull_s = 0;
  double either_s = 0;
  double progress_cpu_s = 0;          ///< of the thread that moves messages
  std::size_t peak_memory_bytes = 0;  ///< of the process
  std::size_t buffer_bytes = 0;       ///< made by the endpoint's pool
};

/// What the leader, worker 0, gets to know.
struct MeasuredRun {
  Samples step_s;                ///< of worker 0
  std::vector<RankTimes> ranks;  ///< by rank
};

/// Does this rank's part of a run on a fresh endpoint. The leader of the meeting is worker 0, which
/// gets the result; the others wait until it goes on.
MeasuredRun measure_run(const RunPlan& plan, Endpoint& endpoint, Meeting& meeting);

}  // namespace odsgd
