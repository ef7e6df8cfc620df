#include "odsgd/ps/update_crew.hpp"

#include <utility>

namespace odsgd {

UpdateCrew::UpdateCrew(int threads, std::function<void(std::uint32_t)> work)
    : work_(std::move(work)) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

UpdateCrew::~UpdateCrew() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  added_.notify_all();
  threads_.clear();
}

void UpdateCrew::add(std::uint32_t slice) {
  {
    const std::lock_guard lock(mutex_);
    slices_.push(slice);
  }
  added_.notify_one();
}

void UpdateCrew::rethrow_failure() {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

void UpdateCrew::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    added_.wait(lock, [&] { return is_stopping_ || !slices_.empty(); });
    if (is_stopping_) return;
    const std::uint32_t slice = slices_.pop();
    lock.unlock();
    std::exception_ptr error;
    try {
      work_(slice);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error && !error_) error_ = error;
  }
}

}  // namespace odsgd
