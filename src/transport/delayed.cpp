#include "odsgd/transport/delayed.hpp"

#include <algorithm>
#include <list>
#include <utility>
#include <vector>

#include "odsgd/base/random.hpp"

namespace odsgd {
namespace {

using SteadyClock = std::chrono::steady_clock;

class DelayedEndpoint final : public Endpoint {
 public:
  DelayedEndpoint(std::unique_ptr<Endpoint> inner, std::chrono::microseconds longest,
                  std::uint64_t seed)
      : inner_(std::move(inner)),
        longest_(longest),
        random_(seed, static_cast<std::uint64_t>(inner_->rank())),
        latest_due_(static_cast<std::size_t>(inner_->size())) {
    inner_->on_landing(
        [this](int source, const Envelope& envelope, std::size_t bytes, bool may_wait) {
          return landing_of(source, envelope, bytes, may_wait);
        });
  }

  int rank() const override { return inner_->rank(); }
  int size() const override { return inner_->size(); }
  std::size_t unsent() const override { return inner_->unsent(); }
  void post(int destination, const Envelope& envelope, Payload body, int urgency) override {
    inner_->post(destination, envelope, std::move(body), urgency);
  }

  void sum(const Envelope& envelope, Payload mine) override {
    inner_->sum(envelope, std::move(mine));
  }

  std::optional<Message> receive(std::chrono::microseconds patience) override {
    const auto end = SteadyClock::now() + patience;
    for (;;) {
      while (auto message = inner_->receive({})) hold(std::move(*message));
      const auto now = SteadyClock::now();
      const auto first = std::min_element(
          held_.begin(), held_.end(), [](const Held& a, const Held& b) { return a.due < b.due; });
      if (first != held_.end() && first->due <= now) {
        std::optional<Message> message(std::move(first->message));
        held_.erase(first);
        return message;
      }
      if (now >= end) return std::nullopt;
      const auto wake = first == held_.end() ? end : std::min(end, first->due);
      const auto wait = std::chrono::duration_cast<std::chrono::microseconds>(wake - now);
      if (auto message = inner_->receive(wait)) hold(std::move(*message));
    }
  }

 private:
  struct Held {
    SteadyClock::time_point due;
    Message message;
  };

  void hold(Message message) {
    const auto most = static_cast<std::uint64_t>(longest_.count()) + 1;
    const std::chrono::microseconds delay(random_.below(count_++, most));
    auto& latest = latest_due_[static_cast<std::size_t>(message.source)];
    latest = std::max(latest + std::chrono::nanoseconds(1), SteadyClock::now() + delay);
    held_.push_back({latest, std::move(message)});
  }

  std::unique_ptr<Endpoint> inner_;
  std::chrono::microseconds longest_;
  Random random_;
  std::uint64_t count_ = 0;
  std::vector<SteadyClock::time_point> latest_due_;  // per source: keeps its messages in order
  std::list<Held> held_;
};

}  // namespace

std::unique_ptr<Endpoint> delay_messages(std::unique_ptr<Endpoint> inner,
                                         std::chrono::microseconds longest, std::uint64_t seed) {
  return std::make_unique<DelayedEndpoint>(std::move(inner), longest, seed);
}

}  // namespace odsgd
