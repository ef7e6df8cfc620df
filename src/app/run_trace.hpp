#pragma once

#include <exception>
#include <string>
#include <utility>

#include "clock_alignment.hpp"
#include "job.hpp"
#include "odsgd/base/timeline.hpp"

namespace odsgd {

/// A rank's part in `--trace`: its timeline, and how that gets into its file, on worker 0's clock.
/// Threads: as ClockAlignment, and the tracer as it says itself.
class RunTrace {
 public:
  /// The references must outlive it.
  RunTrace(const Job& job, Endpoint& endpoint, std::string run_id);

  Tracer& tracer() { return tracer_; }

  bool take(const Message& note) { return clocks_.take(note); }  ///< see ClockAlignment
  void fail(std::exception_ptr error) { clocks_.fail(std::move(error)); }

  /// The rank begins, once its messages are dispatched.
  void begin();

  /// The rank has done its last step or update. On a worker its messages must still be dispatched;
  /// a server has been sent all it needs before it is told to stop.
  void end() { clock_ = clocks_.end(); }

  /// Writes the rank's file, and prints about spans that it had no room for, and on worker 0 how to
  /// look at the trace. After end() and after the exchange has ended. Throws Error when it cannot.
  void write() const;

 private:
  const Job& job_;
  int rank_;
  std::string run_id_;
  Tracer tracer_;
  ClockAlignment clocks_;
  ClockMap clock_;
};

}  // namespace odsgd
