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

/// A queue that serves one message at a time. Messages wait in their order until they are among the
/// `window` next ones: these are under way, and none overtakes another.
class Station {
 public:
  using Leave = std::function<void(std::size_t layer)>;

  Station(EventQueue& events, SendOrder order, std::size_t window, Leave leave)
      : events_(events), order_(order), window_(window), leave_(std::move(leave)) {}

  void enter(std::size_t layer, double service_s) {
    const std::size_t rank = order_ == SendOrder::kFirstLayer ? layer : 0;
    waiting_.emplace(std::pair(rank, entered_++), Message{layer, service_s});
    fill_window();
    if (!is_busy_) serve_next();
  }

 private:
  struct Message {
    std::size_t layer;
    double service_s;
  };

  void fill_window() {
    while (under_way_.size() < window_ && !waiting_.empty()) {
      under_way_.push_back(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
  }

  void serve_next() {
    const Message message = under_way_.front();
    is_busy_ = true;
    events_.after(message.service_s, [this, message] {
      is_busy_ = false;
      under_way_.pop_front();
      fill_window();
      if (!under_way_.empty()) serve_next();
      leave_(message.layer);
    });
  }

  EventQueue& events_;
  SendOrder order_;
  std::size_t window_;
  Leave leave_;
  std::map<std::pair<std::size_t, std::uint64_t>, Message> waiting_;
  std::deque<Message> under_way_;  // the first is being served
  std::uint64_t entered_ = 0;
  bool is_busy_ = false;
};

}  // namespace odsgd
