#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "event_queue.hpp"
#include "odsgd/bench/step_prediction.hpp"

namespace odsgd {

/// A queue that serves one message at a time. Messages wait in their order until they fit into the
/// window of those that are under way, of which at least one always is: these nothing overtakes.
class Station {
 public:
  struct Message {
    std::size_t layer;
    double bytes;
    double service_s;
  };
  using Leave = std::function<void(std::size_t layer)>;

  Station(EventQueue& events, SendOrder order, double window_bytes, Leave leave)
      : events_(events), order_(order), window_bytes_(window_bytes), leave_(std::move(leave)) {}

  void enter(const Message& message) {
    const std::size_t rank = order_ == SendOrder::kFirstLayer ? message.layer : 0;
    waiting_.emplace(std::pair(rank, entered_++), message);
    fill_window();
    if (!is_busy_) serve_next();
  }

 private:
  void fill_window() {
    while (!waiting_.empty()) {
      const Message& next = waiting_.begin()->second;
      if (!under_way_.empty() && bytes_under_way_ + next.bytes > window_bytes_) return;
      bytes_under_way_ += next.bytes;
      under_way_.push_back(next);
      waiting_.erase(waiting_.begin());
    }
  }

  void serve_next() {
    const Message message = under_way_.front();
    is_busy_ = true;
    events_.after(message.service_s, [this, message] {
      is_busy_ = false;
      under_way_.pop_front();
      bytes_under_way_ -= message.bytes;
      fill_window();
      if (!under_way_.empty()) serve_next();
      leave_(message.layer);
    });
  }

  EventQueue& events_;
  SendOrder order_;
  double window_bytes_;
  Leave leave_;
  std::map<std::pair<std::size_t, std::uint64_t>, Message> waiting_;
  std::deque<Message> under_way_;  // the first is being served
  double bytes_under_way_ = 0;
  std::uint64_t entered_ = 0;
  bool is_busy_ = false;
};

}  // namespace odsgd
