#pragma once

#include <optional>

namespace odsgd {

/// Which rank does what. Servers and workers have numbers of their own: server s, worker m.
///
/// Dedicated: ranks 0 to servers-1 are the servers, the others the workers. Colocated: every rank
/// is a worker and holds a shard of the global weights as well. Replicated: every rank is a worker
/// and holds all of them, which it updates with the sum of all gradients and alone asks for; the
/// ranks deal with each other as colocated ones do.
class Roles {
 public:
  /// Throws Error unless at least one rank is a worker and one a server.
  static Roles dedicated(int ranks, int servers);
  static Roles colocated(int ranks);
  static Roles replicated(int ranks);

  int ranks() const { return ranks_; }
  int servers() const { return servers_; }
  int workers() const { return ranks_ - first_worker_; }
  bool is_colocated() const { return first_worker_ == 0; }  ///< every rank is both
  bool is_replicated() const { return is_replicated_; }

  /// Into how many parts the global weights are divided.
  int shards() const { return is_replicated_ ? 1 : servers_; }
  int shard_of_server(int server) const { return is_replicated_ ? 0 : server; }
  /// How many workers push to one server, and ask it; and a worker's number among these.
  int clients() const { return is_replicated_ ? 1 : workers(); }
  int client_of(int worker) const { return is_replicated_ ? 0 : worker; }

  int server_rank(int server) const { return server; }
  int worker_rank(int worker) const { return first_worker_ + worker; }
  std::optional<int> server_of(int rank) const;
  std::optional<int> worker_of(int rank) const;

 private:
  Roles(int ranks, int servers, int first_worker, bool is_replicated = false)
      : ranks_(ranks),
        servers_(servers),
        first_worker_(first_worker),
        is_replicated_(is_replicated) {}

  int ranks_;
  int servers_;
  int first_worker_;
  bool is_replicated_;
};

}  // namespace odsgd
