#include "odsgd/compute/pretend_time.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {
namespace {

// CLOCK_MONOTONIC is what now_s() reads.
void sleep_until(double time_s) {
  thread_local const bool has_fine_timers = (use_fine_timers(), true);
  static_cast<void>(has_fine_timers);
  const double whole_s = std::floor(time_s);
  timespec time{};
  time.tv_sec = static_cast<std::time_t>(whole_s);
  time.tv_nsec = static_cast<long>((time_s - whole_s) * 1e9);
  int error = 0;
  do {
    error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
  } while (error == EINTR);
  ODSGD_REQUIRE(error == 0, "clock_nanosleep until {} s: {}", time_s, std::strerror(error));
}

}  // namespace

SleepClock host_clock() { return {now_s, sleep_until}; }

PretendTime::PretendTime(SleepClock clock)
    : clock_(std::move(clock)), deadline_s_(clock_.now_s()), woken_s_(deadline_s_) {}

void PretendTime::begin_step(double total_s) { step_s_ = total_s; }

void PretendTime::spend(double seconds) {
  ODSGD_REQUIRE(seconds >= 0 && std::isfinite(seconds),
                "pretend time: got {} s to spend, want 0 or more", seconds);
  const double now_s = clock_.now_s();
  const double elsewhere_s = now_s - woken_s_;
  deadline_s_ += elsewhere_s + seconds;
  if (deadline_s_ > now_s) clock_.sleep_until_s(deadline_s_);
  woken_s_ = clock_.now_s();
}

}  // namespace odsgd
