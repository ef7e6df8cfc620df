#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace odsgd {

/// Simulated time: calls what is due, in the order of time and then in that of asking.
class EventQueue {
 public:
  double now_s() const { return now_s_; }

  void after(double delay_s, std::function<void()> call) {
    events_.push({now_s_ + delay_s, asked_++, std::move(call)});
  }

  /// Until nothing is due any more.
  void run() {
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_s_ = event.time_s;
      event.call();
    }
  }

 private:
  struct Event {
    double time_s;
    std::uint64_t number;
    std::function<void()> call;

    bool operator<(const Event& other) const {  // the queue's top is its greatest
      return std::pair(time_s, number) > std::pair(other.time_s, other.number);
    }
  };

  double now_s_ = 0;
  std::uint64_t asked_ = 0;
  std::priority_queue<Event> events_;
};

}  // namespace odsgd
