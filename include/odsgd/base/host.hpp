#pragma once

#include <cstddef>
#include <string>

namespace odsgd {

std::string host_name();
int cpus_allowed();               ///< processors in this process's affinity mask
std::string cpu_model();          ///< "model name" of /proc/cpuinfo, or "unknown"
std::size_t peak_memory_bytes();  ///< largest resident set of this process so far

/// Seconds on the monotonic clock of this host; only differences mean anything.
double now_s();

/// Seconds of processor time that this thread has used.
double thread_cpu_s();

/// Lets this thread sleep for tens of microseconds instead of 50 more (PR_SET_TIMERSLACK); Linux
/// only, no effect elsewhere.
void use_fine_timers();

}  // namespace odsgd
