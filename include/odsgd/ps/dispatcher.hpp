#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include "odsgd/ps/protocol.hpp"

namespace odsgd {

/// Hands each message that arrives at a rank to the part that it is for. One rank has one
/// dispatcher, whatever its roles.
class Dispatcher {
 public:
  using Handler = std::function<void(const Message&)>;

  /// The endpoint must outlive the dispatcher.
  explicit Dispatcher(Endpoint& endpoint) : endpoint_(endpoint) {}

  /// To be called before the first message is dispatched.
  void on(MessageKind kind, Handler handler);

  /// Called with the source of each message before it is dispatched. To be set before the first
  /// one.
  void on_any(std::function<void(int source)> heard) { heard_ = std::move(heard); }

  /// Receives for at most `patience`, and dispatches what is there, as far as it is not very much.
  /// Returns whether a message came.
  /// Throws what a handler throws, and Error for a message that nobody here expects.
  bool dispatch(std::chrono::microseconds patience);

  void dispatch(const Message& message);

 private:
  static constexpr std::size_t kKinds = static_cast<std::size_t>(MessageKind::kNote) + 1;
  Endpoint& endpoint_;
  std::array<Handler, kKinds> handlers_;
  std::function<void(int)> heard_;
};

/// The thread that moves messages while a worker computes: MPI makes no progress on its own.
class ProgressThread {
 public:
  /// Dispatches until stopped, and calls `between` every few milliseconds. When either throws, the
  /// thread calls `on_error` with the exception and ends.
  ProgressThread(Dispatcher& dispatcher, std::function<void()> between,
                 std::function<void(std::exception_ptr)> on_error);

  double cpu_s() const { return cpu_s_.load(std::memory_order_relaxed); }  ///< used so far

 private:
  std::atomic<double> cpu_s_ = 0;
  std::jthread thread_;  // last: it uses the above
};

}  // namespace odsgd
