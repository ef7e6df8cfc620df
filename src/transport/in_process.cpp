#include "odsgd/transport/in_process.hpp"

#include <cstring>
#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {

class InProcessHub::InProcessEndpoint final : public Endpoint {
 public:
  InProcessEndpoint(InProcessHub& hub, int rank) : hub_(hub), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return hub_.size(); }
  std::size_t unsent() const override { return 0; }

  void post(int destination, const Envelope& envelope, Payload body, int /*urgency*/) override {
    ODSGD_REQUIRE(destination >= 0 && destination < size(), "post: got rank {}, want 0 to {}",
                  destination, size() - 1);
    Box& box = hub_.boxes_[static_cast<std::size_t>(destination)];
    {
      const std::lock_guard lock(box.mutex);
      box.messages.push({rank_, envelope, std::move(body)});
    }
    box.arrived.notify_one();
  }

  std::optional<Message> receive(std::chrono::microseconds patience) override {
    Box& box = hub_.boxes_[static_cast<std::size_t>(rank_)];
    std::optional<Message> first;
    {
      std::unique_lock lock(box.mutex);
      box.arrived.wait_for(lock, patience,
                           [&] { return !box.messages.empty() || !box.aborted.empty(); });
      if (!box.aborted.empty()) throw Error(box.aborted);
      if (box.messages.empty()) return std::nullopt;
      first = box.messages.pop();
    }
    land(*first);
    return first;
  }

 private:
  /// Copies the body to where it is wanted, if it is: after that the sender's memory is free.
  void land(Message& message) const {
    const std::span<const std::byte> bytes = message.body.bytes();
    const auto memory = landing_of(message.source, message.envelope, bytes.size(), false).memory;
    if (memory.empty()) return;
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    message.body = Payload(memory);
  }

  InProcessHub& hub_;
  int rank_;
};

InProcessHub::InProcessHub(int size) : boxes_(static_cast<std::size_t>(size)) {}

std::unique_ptr<Endpoint> InProcessHub::endpoint(int rank) {
  ODSGD_REQUIRE(rank >= 0 && rank < size(), "endpoint: got rank {}, want 0 to {}", rank,
                size() - 1);
  return std::make_unique<InProcessEndpoint>(*this, rank);
}

void InProcessHub::abort(const std::string& why) {
  for (Box& box : boxes_) {
    {
      const std::lock_guard lock(box.mutex);
      if (box.aborted.empty()) box.aborted = why.empty() ? "aborted" : why;
    }
    box.arrived.notify_all();
  }
}

}  // namespace odsgd
