#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "event_queue.hpp"
#include "odsgd/bench/step_prediction.hpp"

namespace odsgd {

/// A queue that serves one message at a time and does not break it off.
class Station {
 public:
  using Leave = std::function<void(std::size_t layer)>;

  Station(EventQueue& events, SendOrder order, Leave leave)
      : events_(events), order_(order), leave_(std::move(leave)) {}

  void enter(std::size_t layer, double service_s) {
    const std::size_t rank = order_ == SendOrder::kFirstLayer ? layer : 0;
    waiting_.emplace(std::pair(rank, entered_++), Message{layer, service_s});
    if (!is_busy_) serve_next();
  }

 private:
  struct Message {
    std::size_t layer;
    double service_s;
  };

  void serve_next() {
    const Message message = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    is_busy_ = true;
    events_.after(message.service_s, [this, message] {
      is_busy_ = false;
      if (!waiting_.empty()) serve_next();
      leave_(message.layer);
    });
  }

  EventQueue& events_;
  SendOrder order_;
  Leave leave_;
  std::map<std::pair<std::size_t, std::uint64_t>, Message> waiting_;
  std::uint64_t entered_ = 0;
  bool is_busy_ = false;
};

}  // namespace odsgd
