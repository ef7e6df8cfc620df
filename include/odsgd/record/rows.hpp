#pragma once

#include <cstdint>
#include <vector>

namespace odsgd {

// The rows of a run log's tables, one struct a table; docs/file-formats.md describes every column.
// Shares and accuracies are fractions in [0, 1], times seconds.

/// One logging interval of the training, over all workers.
struct TrainRow {
  std::int64_t step = 0;     ///< steps done
  double epoch = 0;          ///< passes over the data done, fractional
  double loss = 0;           ///< mean over the interval's samples
  double accuracy = 0;       ///< share of the interval's samples classified right
  double lr = 0;             ///< of the last step
  std::int64_t samples = 0;  ///< trained on since the start, all workers
  double seconds = 0;        ///< training time since the start, without evaluations
  double images_per_s = 0;   ///< all workers, in this interval
};

/// One evaluation of the global weights on the test set.
struct EvalRow {
  std::int64_t epoch = 0;  ///< epochs done
  std::int64_t step = 0;   ///< steps done: the clock of the weights
  double loss = 0;
  double top1 = 0;
  double top5 = 0;
  std::int64_t samples = 0;
  double seconds = 0;  ///< that the evaluation took
};

constexpr std::int64_t kServerRole = 0;
constexpr std::int64_t kWorkerRole = 1;

/// Where one rank's time went in one epoch, in one of its roles: a colocated rank has two rows.
struct TimingRow {
  std::int64_t epoch = 0;
  std::int64_t rank = 0;
  std::int64_t role = kWorkerRole;
  std::int64_t index = 0;   ///< worker or server number
  double seconds = 0;       ///< whole epoch
  double compute = 0;       ///< forward and backward; on a server the update rule
  double wait = 0;          ///< exposed communication: computing stood still for a pull
  double local_update = 0;  ///< changing local weights without the servers
  double in_flight = 0;     ///< at least one pull was under way
  double other = 0;         ///< the rest of `seconds`
  std::int64_t bytes_pushed = 0;
  std::int64_t bytes_pulled = 0;
  double hidden_share = 0;             ///< see hidden_share() in run_result.hpp
  std::int64_t peak_memory_bytes = 0;  ///< of the process, so far
};

/// How many pushes of slices were `value` updates stale; the whole run so far.
struct StalenessRow {
  std::int64_t value = 0;
  std::int64_t count = 0;
};

/// All rows of a run.
struct RunRows {
  std::vector<TrainRow> train;
  std::vector<EvalRow> eval;
  std::vector<TimingRow> timing;
  std::vector<StalenessRow> staleness;
};

}  // namespace odsgd
