#include "odsgd/ps/heartbeats.hpp"

#include <algorithm>
#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

constexpr double kInterval = 1.0 / 8;  // of the time limit
constexpr double kSilence = 6.0 / 8;

}  // namespace

Heartbeats::Heartbeats(Endpoint& endpoint, const Roles& roles, double timeout_s,
                       std::function<std::string(int)> pending)
    : endpoint_(endpoint), roles_(roles), timeout_s_(timeout_s), pending_(std::move(pending)) {
  const int me = endpoint.rank();
  const bool is_worker = roles.worker_of(me).has_value();
  const bool is_server = roles.server_of(me).has_value();
  if (is_worker) servers_ = roles.servers();
  for (int rank = 0; rank < roles.ranks(); ++rank) {
    const Peer peer{.rank = rank,
                    .is_my_server = is_worker && roles.server_of(rank).has_value(),
                    .is_my_worker = is_server && roles.worker_of(rank).has_value()};
    if (rank != me && (peer.is_my_server || peer.is_my_worker)) peers_.push_back(peer);
  }
}

Heartbeats::Peer* Heartbeats::find(int rank) {
  const auto peer =
      std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.rank == rank; });
  return peer == peers_.end() ? nullptr : &*peer;
}

void Heartbeats::heard(int rank) {
  if (Peer* peer = find(rank)) peer->heard_s = watched_s_;
}

void Heartbeats::worker_has_stopped(int rank) {
  if (Peer* peer = find(rank)) peer->is_my_worker = false;
}

void Heartbeats::server_has_stopped(int rank) {
  if (Peer* peer = find(rank)) peer->is_my_server = false;
  servers_.fetch_sub(1, std::memory_order_acq_rel);
}

void Heartbeats::look(double now_s) {
  const double interval_s = kInterval * timeout_s_;
  watched_s_ += std::min(now_s - looked_s_.value_or(now_s), interval_s);
  looked_s_ = now_s;
  if (watched_s_ < next_s_) return;
  next_s_ = watched_s_ + interval_s;
  beat();
  require_heard();
}

void Heartbeats::beat() {
  const bool has_said_stop = has_said_stop_.load(std::memory_order_acquire);
  for (const Peer& peer : peers_) {
    if (!peer.is_my_worker && (!peer.is_my_server || has_said_stop)) continue;
    endpoint_.post(peer.rank, envelope_of({.kind = MessageKind::kHeartbeat}), {},
                   kHeartbeatUrgency);
  }
}

void Heartbeats::require_heard() {
  for (const Peer& peer : peers_) {
    const double silence_s = watched_s_ - peer.heard_s;
    if (silence_s < kSilence * timeout_s_ || !(peer.is_my_server || peer.is_my_worker)) continue;
    const std::string role = peer.is_my_worker
                                 ? fmt::format("worker {}", *roles_.worker_of(peer.rank))
                                 : fmt::format("server {}", *roles_.server_of(peer.rank));
    fail(
        "rank {} ({}): got no message for {:.3g} s, want a heartbeat every {:.3g} s (is it "
        "stopped or cut off? --timeout is {:g}); pending from there: {}",
        peer.rank, role, silence_s, kInterval * timeout_s_, timeout_s_, pending_(peer.rank));
  }
}

}  // namespace odsgd
