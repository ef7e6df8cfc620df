#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "odsgd/base/fifo.hpp"

namespace odsgd {

/// Threads that work off slices, in the order in which they were added. Threads: add() and
/// rethrow_failure() any.
class UpdateCrew {
 public:
  UpdateCrew(int threads, std::function<void(std::uint32_t slice)> work);
  ~UpdateCrew();  ///< waits for the work under way; what was not begun is left

  void add(std::uint32_t slice);

  void rethrow_failure();  ///< throws what `work` has thrown, if it has

 private:
  void run();

  std::function<void(std::uint32_t)> work_;
  std::mutex mutex_;  // guards the next four
  std::condition_variable added_;
  Fifo<std::uint32_t> slices_;
  bool is_stopping_ = false;
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;
};

}  // namespace odsgd
