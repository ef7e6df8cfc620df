#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "odsgd/base/error.hpp"
#include "odsgd/base/types.hpp"

namespace odsgd::test {

/// Makes the pushes of workers whose servers apply each at once come in turn: worker 0, 1, ..., 0,
/// 1, ...; for Setup::on_weights. A worker that holds weights with its push of step t - 1 in them
/// shows that it was applied. Nothing shows that of the last step's pushes: these come in any
/// order.
class Turns {
 public:
  Turns(int workers, Clock steps) : workers_(static_cast<Clock>(workers)), steps_(steps) {}

  void wait(int worker, Clock t) {
    const bool is_last = t + 1 == steps_;
    const Clock needed =
        is_last ? workers_ * steps_ : workers_ * (t + 1) + static_cast<Clock>(worker);
    std::unique_lock lock(mutex_);
    ++holds_;
    changed_.notify_all();
    const bool came =
        changed_.wait_for(lock, std::chrono::seconds(20), [&] { return holds_ >= needed; });
    ODSGD_REQUIRE(came, "test: worker {} waits for its turn in step {}", worker, t);
  }

 private:
  Clock workers_;
  Clock steps_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Clock holds_ = 0;  // how often a worker came to hold weights
};

}  // namespace odsgd::test
