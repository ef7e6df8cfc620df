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
  std::size_t unsent() const override { return my_box().sums_under_way.load(); }

  void post(int destination, const Envelope& envelope, Payload body, int /*urgency*/) override {
    ODSGD_REQUIRE(destination >= 0 && destination < size(), "post: got rank {}, want 0 to {}",
                  destination, size() - 1);
    put(hub_.boxes_[static_cast<std::size_t>(destination)], {rank_, envelope, std::move(body)});
  }

  void sum(const Envelope& envelope, Payload mine) override {
    Box& box = my_box();
    box.sums_under_way.fetch_add(1);
    auto complete = hub_.add_term(rank_, envelope, std::move(mine));
    if (!complete) return;
    {
      const std::lock_guard lock(box.mutex);
      box.due_sums.push(std::move(*complete));
    }
    box.arrived.notify_one();
  }

  std::optional<Message> receive(std::chrono::microseconds patience) override {
    Box& box = my_box();
    std::unique_lock lock(box.mutex);
    const auto has_news = [&] {
      return !box.messages.empty() || !box.due_sums.empty() || !box.aborted.empty();
    };
    for (;;) {
      box.arrived.wait_for(lock, patience, has_news);
      if (!box.aborted.empty()) throw Error(box.aborted);
      if (box.due_sums.empty()) break;
      Sum sum = box.due_sums.pop();
      lock.unlock();
      deliver(std::move(sum));
      lock.lock();
    }
    if (box.messages.empty()) return std::nullopt;
    std::optional<Message> first = box.messages.pop();
    lock.unlock();
    land(*first);
    return first;
  }

 private:
  Box& my_box() const { return hub_.boxes_[static_cast<std::size_t>(rank_)]; }

  static void put(Box& box, Message message) {
    {
      const std::lock_guard lock(box.mutex);
      box.messages.push(std::move(message));
    }
    box.arrived.notify_one();
  }

  /// Adds the terms, lets go of them, and hands the sum to every rank.
  void deliver(Sum sum) {
    const Draft total = buffers().take(sum.terms.front().body.size());
    const std::span<float> floats = floats_in(total);
    std::memcpy(total.bytes.data(), sum.terms.front().body.bytes().data(), total.bytes.size());
    for (std::size_t rank = 1; rank < sum.terms.size(); ++rank) {
      const Payload& body = sum.terms[rank].body;
      ODSGD_REQUIRE(body.size() == total.bytes.size(),
                    "sum: got {} bytes from rank {}, want {} as from rank 0", body.size(), rank,
                    total.bytes.size());
      const auto* term = reinterpret_cast<const float*>(body.bytes().data());
      for (std::size_t i = 0; i < floats.size(); ++i) floats[i] += term[i];
    }
    for (Message& term : sum.terms) term.body = {};
    for (Message& term : sum.terms) {
      Box& box = hub_.boxes_[static_cast<std::size_t>(term.source)];
      box.sums_under_way.fetch_sub(1);
      put(box, {term.source, term.envelope, total.payload});
    }
    hub_.keep(std::move(sum));
  }

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

InProcessHub::InProcessHub(int size)
    : boxes_(static_cast<std::size_t>(size)), called_(static_cast<std::size_t>(size)) {}

/// The sum that this is the last term of, if it is: the oldest one, as every rank comes to it
/// before the next.
std::optional<InProcessHub::Sum> InProcessHub::add_term(int rank, const Envelope& envelope,
                                                        Payload mine) {
  const std::lock_guard lock(sums_mutex_);
  const std::uint64_t place = called_[static_cast<std::size_t>(rank)]++ - complete_;
  if (place == sums_.size()) {
    if (spare_sums_.empty()) spare_sums_.push_back({std::vector<Message>(boxes_.size()), 0});
    spare_sums_.back().missing = boxes_.size();
    sums_.push(std::move(spare_sums_.back()));
    spare_sums_.pop_back();
  }
  Sum& sum = sums_[place];
  sum.terms[static_cast<std::size_t>(rank)] = {rank, envelope, std::move(mine)};
  if (--sum.missing > 0) return std::nullopt;
  ++complete_;
  return sums_.pop();
}

void InProcessHub::keep(Sum sum) {
  const std::lock_guard lock(sums_mutex_);
  spare_sums_.push_back(std::move(sum));
}

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
