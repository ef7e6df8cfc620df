#pragma once

#include <functional>

namespace odsgd {

/// A clock to sleep by. Tests bring one that records the sleeps and does none.
struct SleepClock {
  std::function<double()> now_s;              ///< monotonic seconds; only differences mean anything
  std::function<void(double)> sleep_until_s;  ///< a time of now_s; returns at once when it is past
};

/// The host's monotonic clock. A sleep uses no processor, and sets the calling thread up for fine
/// timers.
SleepClock host_clock();

/// The time that a pretend device takes to compute: its caller sleeps, as a host does that waits
/// for a GPU.
///
/// The device's time advances by what is spent, and stands while the caller does other things, such
/// as waiting for weights in a hook: that is not caught up. A sleep that ends late is: the device
/// would have been done in time, so the next one is shorter, and errors do not add up.
/// Threads: one at a time. For benchmarks.
class PretendTime {
 public:
  explicit PretendTime(SleepClock clock = host_clock());

  /// A step of the device begins that takes `total_s` in all.
  void begin_step(double total_s);

  /// Sleeps until the device's time has advanced by so much. Throws Error when that is negative or
  /// not finite.
  void spend(double seconds);

  /// Spends this share of the step, in [0, 1].
  void spend_share(double share) { spend(share * step_s_); }

 private:
  SleepClock clock_;
  double step_s_ = 0;
  double deadline_s_;  // when the device is done with what was spent so far
  double woken_s_;     // when spend() returned: no earlier, and later by the error of its sleep
};

}  // namespace odsgd
