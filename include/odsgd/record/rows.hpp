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
  double local_lr = 0;       ///< of the last step; NaN: the rule has no local update
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
  std::int64_t index = 0;  ///< worker or server number
  std::int64_t steps = 0;  ///< of the epoch
  double seconds = 0;      ///< whole epoch: the sum of the next six
  double compute = 0;      ///< forward and backward; on a server the update rule
  double input = 0;        ///< waiting for the batch
  double wait = 0;         ///< exposed communication: computing stood still for it
  double local_update = 0;
  double post = 0;                  ///< handing pushes and pulls to the transport
  double other = 0;                 ///< the rest
  double push = 0;                  ///< at least one push was under way
  double pull = 0;                  ///< at least one pull was under way
  double in_flight = 0;             ///< one of either
  std::int64_t measured_steps = 0;  ///< without warm-up, as the next two
  double measured_wait = 0;
  double measured_in_flight = 0;
  double hidden_share = 0;  ///< of the measured steps: see hidden_share() in run_result.hpp
  double progress_cpu = 0;  ///< processor time of the thread that moves messages
  std::int64_t bytes_pushed = 0;
  std::int64_t bytes_pulled = 0;
  std::int64_t peak_memory_bytes = 0;  ///< of the process, so far
};

/// Where one worker's time went in one step; the columns of TimingRow.
struct StepRow {
  std::int64_t step = 0;  ///< counted from 1
  std::int64_t rank = 0;
  double seconds = 0;
  double compute = 0;
  double input = 0;
  double wait = 0;
  double local_update = 0;
  double post = 0;
  double push = 0;
  double pull = 0;
  double in_flight = 0;
};

/// Smallest, mean and largest over some ranks; NaN over none.
struct Spread {
  double min = 0;
  double mean = 0;
  double max = 0;
};

/// One epoch over all workers. Seconds a step, but for the share.
struct OverlapRow {
  std::int64_t epoch = 0;
  Spread step{};
  Spread compute{};
  Spread wait{};
  Spread local_update{};
  Spread push{};
  Spread pull{};
  Spread in_flight{};
  Spread hidden_share{};
};

/// How many pushes of slices were `value` updates stale; the whole run so far.
struct StalenessRow {
  std::int64_t value = 0;
  std::int64_t count = 0;
};

/// All rows of a run, but those of single steps, which are many.
struct RunRows {
  std::vector<TrainRow> train;
  std::vector<EvalRow> eval;
  std::vector<TimingRow> timing;
  std::vector<OverlapRow> overlap;
  std::vector<StalenessRow> staleness;
};

}  // namespace odsgd
