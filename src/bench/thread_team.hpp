#pragma once

#include <functional>

#include "odsgd/bench/samples.hpp"

namespace odsgd {

/// What one thread of a team does in each repetition.
using Work = std::function<void()>;

/// Starts `threads` threads, lets thread i prepare its work with make_work(i), and then has all do
/// their work at the same time, once to warm up and then `repetitions` times. Returns seconds per
/// repetition, from the first one's begin to the last one's end. Rethrows what a thread could not
/// be started or prepared for; the work itself must not throw.
Samples time_together(int threads, int repetitions, const std::function<Work(int)>& make_work);

}  // namespace odsgd
