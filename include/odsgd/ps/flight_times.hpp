#pragma once

#include <cstddef>
#include <mutex>

#include "odsgd/base/host.hpp"

namespace odsgd {

/// For how long anything of some kind has been under way.
class FlightTime {
 public:
  void begin(double now) {
    if (under_way_++ == 0) since_s_ = now;
  }
  void end(double now) {
    if (--under_way_ == 0) sum_s_ += now - since_s_;
  }
  double total(double now) const { return sum_s_ + (under_way_ > 0 ? now - since_s_ : 0); }

 private:
  std::size_t under_way_ = 0;
  double since_s_ = 0;
  double sum_s_ = 0;
};

/// For how long a worker had pushes, pulls, or either under way. Threads: any.
class FlightTimes {
 public:
  struct Totals {
    double push_s = 0;    ///< at least one slice's push was not yet sent, or not yet read
    double pull_s = 0;    ///< at least one pull was not yet answered
    double either_s = 0;  ///< the time of communication
  };

  void begin_push() { change(push_, &FlightTime::begin); }
  void end_push() { change(push_, &FlightTime::end); }
  void begin_pull() { change(pull_, &FlightTime::begin); }
  void end_pull() { change(pull_, &FlightTime::end); }

  Totals totals() const {
    const std::lock_guard lock(mutex_);
    const double now = now_s();  // as in change()
    return {push_.total(now), pull_.total(now), either_.total(now)};
  }

 private:
  void change(FlightTime& time, void (FlightTime::*how)(double)) {
    const std::lock_guard lock(mutex_);
    const double now = now_s();  // under the mutex: times must not run backwards
    (time.*how)(now);
    (either_.*how)(now);
  }

  mutable std::mutex mutex_;
  FlightTime push_;
  FlightTime pull_;
  FlightTime either_;
};

}  // namespace odsgd
