#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "check_in.hpp"
#include "job.hpp"
#include "notes.hpp"
#include "odsgd/record/progress.hpp"
#include "odsgd/record/run_log.hpp"
#include "run_rank.hpp"

namespace odsgd {

/// Writes a run's log and shows its progress, from sums over all ranks. Worker 0 has one.
class RunRecorder {
 public:
  /// The references must outlive it.
  RunRecorder(const Job& job, const CheckIn& check, TransportInfo transport);

  /// Creates the output directory and the log in it, and prints what runs where. When it throws,
  /// the directory is gone again.
  void open(const std::string& device);

  void begin_epoch();
  void step_done(Clock steps);
  void end_steps(Clock steps);  ///< the clock of training time stands until begin_epoch()

  /// Whether an interval that ends with this step can be recorded: its end has been passed here.
  bool has_time_of(Clock step) const { return interval_ends_s_.contains(step); }
  void record_interval(const IntervalReport& sum, std::span<const StepRow> steps);
  void record_start(const std::map<int, ServerReport>& servers) { servers_ = servers; }
  void record_epoch(std::uint64_t epoch, const std::map<int, WorkerReport>& workers,
                    const std::map<int, ServerReport>& servers, const StalenessCounts& staleness);

  /// Stores the final weights, unless told not to or in a benchmark, closes the log and prints the
  /// run's result. Throws Error when that is no better than an answer that is always the same: the
  /// training has gone wrong although all its numbers are finite.
  void finish(Clock steps, std::span<const float> weights);

  /// Ends the log, if there is one, with the text of what ended the run. Never throws.
  void fail(const std::string& text) noexcept;

 private:
  double training_s() const;
  double time_left_s(Clock steps) const;
  EvalRow record_evaluation(std::uint64_t epoch, const std::map<int, WorkerReport>& workers);
  std::optional<std::string> collapse(Clock steps) const;
  void show_epoch(std::uint64_t epoch, const std::optional<EvalRow>& eval);

  const Job& job_;
  const CheckIn& check_;
  TransportInfo transport_;
  std::string path_;
  std::optional<RunLog> log_;
  ProgressBar bar_;

  bool is_training_ = false;
  double epoch_begin_s_ = 0;
  double past_epochs_s_ = 0;                 // training time of the epochs before
  double epochs_shown_s_ = 0;                // and of those whose line has been printed
  std::map<Clock, double> interval_ends_s_;  // training time at their last steps
  TrainRow last_;
  EvalRow last_eval_;
  double epoch_loss_sum_ = 0;  // of samples, as the next two
  std::uint64_t epoch_correct_ = 0;
  std::uint64_t epoch_samples_ = 0;
  std::map<int, ServerReport> servers_;  // at the end of the epoch before
};

}  // namespace odsgd
