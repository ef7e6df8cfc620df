#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "job.hpp"
#include "notes.hpp"

namespace odsgd {

class RunRecorder;

/// Worker 0's second task: gathers what all ranks report, has it recorded and shown, and lets the
/// workers go on.
///
/// Threads: worker 0's compute thread, between its steps.
class Coordinator {
 public:
  /// The references must outlive it.
  Coordinator(const Job& job, Endpoint& endpoint, NoteBox& notes, RunRecorder& recorder)
      : job_(job), endpoint_(endpoint), notes_(notes), recorder_(recorder) {}

  /// Opens the log, once the device is known and before the first meeting.
  void begin(const std::string& device);

  void begin_epoch();

  /// Takes the reports that have come, without waiting. Throws Error when one tells of divergence,
  /// as meet() does.
  void after_step(Clock steps_done);

  /// The epoch's steps are done and their global weights are there.
  void end_steps(Clock steps_done);

  /// Waits for every worker's report of the epoch and for the servers' reports, records them, and
  /// lets all workers proceed. Epoch 0 is the start: nothing is recorded.
  void meet(std::uint64_t epoch);

  /// Records the final global weights W^steps, and shows the run's result.
  void finish(Clock steps, std::span<const float> weights);

 private:
  void take(const Message& note);
  std::string subject_of(const DivergenceReport& report, int rank) const;
  void record_full_intervals();
  void ask_servers();

  const Job& job_;
  Endpoint& endpoint_;
  NoteBox& notes_;
  RunRecorder& recorder_;

  // By last step, then by worker: sums run in worker order, whatever the order of arrival.
  struct Interval {
    IntervalReport report;
    std::vector<StepReport> steps;
  };
  std::map<std::uint64_t, std::map<int, Interval>> intervals_;
  std::map<int, WorkerReport> workers_;  // of the epoch being met, by worker
  std::map<int, ServerReport> servers_;  // by server
  StalenessCounts staleness_;
};

}  // namespace odsgd
