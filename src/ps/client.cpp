#include "odsgd/ps/client.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>
#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {

Client::Client(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
               const Roles& roles, double timeout_s)
    : endpoint_(endpoint),
      layout_(layout),
      shards_(shards),
      roles_(roles),
      timeout_s_(timeout_s),
      clocks_(shards.slices().size()),
      asked_(shards.slices().size()) {}

void Client::push(Key key, Clock step, std::optional<Clock> base_clock, std::span<const float> g) {
  const Parameter& parameter = layout_[key];
  ODSGD_REQUIRE(g.size() == parameter.count, "push of {}: got {} floats, want {}", parameter.name,
                g.size(), parameter.count);
  for (auto i = shards_.first_slice(key); i < shards_.last_slice(key); ++i) {
    const Slice& slice = shards_[i];
    const Header header{.kind = MessageKind::kPush,
                        .codec = Codec::kFloat32,
                        .slice = i,
                        .clock = step,
                        .base_clock = base_clock.value_or(clocks_[i])};
    const auto content = std::as_bytes(g.subspan(slice.offset - parameter.offset, slice.count));
    endpoint_.post(roles_.server_rank(slice.server),
                   make_message(endpoint_.buffers(), header, content));
  }
  const std::lock_guard lock(mutex_);
  totals_.bytes_pushed += g.size_bytes();
}

Ticket Client::pull(Key key, Clock at_least) { return ask(key, at_least, false); }

Ticket Client::pull_together(Key key, Clock at_least) { return ask(key, at_least, true); }

Ticket Client::ask(Key key, Clock at_least, bool together) {
  const auto first = shards_.first_slice(key);
  const auto last = shards_.last_slice(key);
  Ticket ticket;
  {
    const std::lock_guard lock(mutex_);
    ticket.id = ++last_id_;
    Pull& pull = pulls_[ticket.id];
    pull.key = key;
    pull.at_least = at_least;
    pull.missing = last - first;
    pull.parts.resize(pull.missing);
    for (auto i = first; i < last; ++i) asked_[i].push_back(ticket.id);
    if (unanswered_++ == 0) unanswered_since_s_ = now_s();
  }
  for (auto i = first; i < last; ++i) {
    const Header header{.kind = MessageKind::kPull,
                        .codec = Codec::kFloat32,
                        .slice = i,
                        .clock = at_least,
                        .base_clock = 0,
                        .together = together};
    endpoint_.post(roles_.server_rank(shards_[i].server),
                   make_message(endpoint_.buffers(), header));
  }
  return ticket;
}

PulledClock Client::wait(Ticket& ticket, std::span<float> into) {
  std::unique_lock lock(mutex_);
  const auto found = pulls_.find(ticket.id);
  ODSGD_REQUIRE(found != pulls_.end(), "wait: ticket {} is not open", ticket.id);
  const Parameter& parameter = layout_[found->second.key];
  ODSGD_REQUIRE(into.size() == parameter.count, "wait for {}: got room for {} floats, want {}",
                parameter.name, into.size(), parameter.count);
  // The limit is on silence, not on the whole wait: a slow link that still delivers is no failure.
  while (!error_ && found->second.missing > 0) {
    const auto before = arrivals_;
    arrived_.wait_for(lock, std::chrono::duration<double>(timeout_s_),
                      [&] { return error_ || found->second.missing == 0 || arrivals_ != before; });
    if (!error_ && found->second.missing > 0 && arrivals_ == before) throw_timeout(found->second);
  }
  if (error_) std::rethrow_exception(error_);
  const Pull pull = std::move(found->second);
  pulls_.erase(found);
  lock.unlock();

  ticket = {};
  for (std::size_t part = 0; part < pull.parts.size(); ++part) {
    const auto number = shards_.first_slice(pull.key) + static_cast<std::uint32_t>(part);
    const Slice& slice = shards_[number];
    clocks_[number] = header_of(pull.parts[part]).clock;
    const auto floats = floats_of(pull.parts[part], slice.count);
    std::memcpy(into.data() + (slice.offset - parameter.offset), floats.data(),
                floats.size_bytes());
  }
  return pull.clock;
}

void Client::stop() {
  for (int server = 0; server < roles_.servers(); ++server) {
    endpoint_.post(roles_.server_rank(server),
                   make_message(endpoint_.buffers(), {.kind = MessageKind::kStop}));
  }
}

void Client::handle(const Message& message) {
  const Header& header = header_of(message);
  const std::lock_guard lock(mutex_);
  ODSGD_REQUIRE(header.slice < asked_.size() && !asked_[header.slice].empty(),
                "weights from rank {}: slice {} was not asked for", message.source, header.slice);
  auto& asked = asked_[header.slice];
  Pull& pull = pulls_.at(asked.front());
  asked.pop_front();
  ODSGD_REQUIRE(header.clock >= pull.at_least,
                "weights of {} from rank {}: got clock {}, want {} or later",
                layout_[pull.key].name, message.source, header.clock, pull.at_least);

  const bool is_first = pull.missing == pull.parts.size();
  pull.clock.oldest = is_first ? header.clock : std::min(pull.clock.oldest, header.clock);
  pull.clock.newest = is_first ? header.clock : std::max(pull.clock.newest, header.clock);
  pull.parts[header.slice - shards_.first_slice(pull.key)] = message.payload;
  totals_.bytes_pulled += content_of(message.payload).size();
  ++arrivals_;
  if (--pull.missing == 0 && --unanswered_ == 0) {
    totals_.in_flight_s += now_s() - unanswered_since_s_;
  }
  arrived_.notify_all();
}

void Client::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::move(error);
  arrived_.notify_all();
}

std::size_t Client::unanswered() const {
  const std::lock_guard lock(mutex_);
  return unanswered_;
}

void Client::rethrow_failure() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

ClientTotals Client::totals() const {
  const std::lock_guard lock(mutex_);
  ClientTotals totals = totals_;
  if (unanswered_ > 0) totals.in_flight_s += now_s() - unanswered_since_s_;
  return totals;
}

void Client::throw_timeout(const Pull& pull) const {
  std::set<int> silent;
  for (std::size_t part = 0; part < pull.parts.size(); ++part) {
    if (pull.parts[part]) continue;
    const auto slice = shards_.first_slice(pull.key) + static_cast<std::uint32_t>(part);
    silent.insert(shards_[slice].server);
  }
  const int server = *silent.begin();
  odsgd::fail("pull of {} at clock {}: no answer from server {} (rank {}){} for {} s (--timeout)",
              layout_[pull.key].name, pull.at_least, server, roles_.server_rank(server),
              silent.size() > 1 ? fmt::format(" and {} more", silent.size() - 1) : "", timeout_s_);
}

}  // namespace odsgd
