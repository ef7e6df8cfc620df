#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "odsgd/ps/protocol.hpp"
#include "odsgd/ps/roles.hpp"

namespace odsgd {

/// Tells the ranks that this one deals with that it is alive, and notices those that no longer are.
///
/// A worker deals with every server, a server with every worker, until both have said that they
/// stop. Each such rank gets a heartbeat every eighth of the time limit, whatever else it is sent:
/// it is one envelope, ahead of all bodies, and so nothing has to keep account of what was sent. A
/// rank of which nothing at all has come for six eighths is an error; it is looked for with each
/// beat, and so found within seven. A rank that is stopped is sent six beats and no more: they
/// cannot pile up.
///
/// Heartbeats come from the thread that moves messages: a rank that computes, evaluates or waits
/// for another is not silent. A rank whose compute thread stands still (a file system that hangs)
/// isn't either.
///
/// Only time in which this rank looks counts as silence of others: one that was stopped itself, or
/// a whole job that is stopped and goes on, does not blame anybody.
/// Threads: says_stop() any, the others the one that dispatches.
class Heartbeats {
 public:
  /// `pending` says what is waited for from a rank. The references must outlive this.
  Heartbeats(Endpoint& endpoint, const Roles& roles, double timeout_s,
             std::function<std::string(int rank)> pending);

  void heard(int rank);  ///< any message has come from there

  /// Sends what is due. Throws Error when a rank is silent: it names the rank and what is pending.
  /// To be called every few milliseconds; silence counts from the first call.
  void look(double now_s);

  /// This rank's worker says stop: its servers expect no heartbeat after that.
  void says_stop() { has_said_stop_.store(true, std::memory_order_release); }

  void worker_has_stopped(int rank);  ///< as this rank's server has been told
  void server_has_stopped(int rank);  ///< as this rank's worker has been told

  /// Whether all servers of this rank's worker have said so.
  bool have_servers_stopped() const { return servers_.load(std::memory_order_acquire) == 0; }

 private:
  struct Peer {
    int rank = -1;
    bool is_my_server = false;
    bool is_my_worker = false;
    double heard_s = 0;  // on the clock below
  };
  void beat();
  void require_heard();
  Peer* find(int rank);

  Endpoint& endpoint_;
  const Roles& roles_;
  double timeout_s_;
  std::function<std::string(int)> pending_;
  std::vector<Peer> peers_;
  std::optional<double> looked_s_;
  double watched_s_ = 0;  // a clock of the time in which this rank looks
  double next_s_ = 0;     // on it: when to beat
  std::atomic<int> servers_ = 0;
  std::atomic<bool> has_said_stop_ = false;
};

}  // namespace odsgd
