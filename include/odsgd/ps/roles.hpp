#pragma once

#include <optional>

namespace odsgd {

/// Which rank does what. Servers and workers have numbers of their own: server s, worker m.
///
/// Dedicated: ranks 0 to servers-1 are the servers, the others the workers. Colocated: every rank
/// is a worker and holds a shard of the global weights as well.
class Roles {
 public:
  /// Throws Error unless at least one rank is a worker and one a server.
  static Roles dedicated(int ranks, int servers);
  static Roles colocated(int ranks);

  int ranks() const { return ranks_; }
  int servers() const { return servers_; }
  int workers() const { return ranks_ - first_worker_; }
  bool is_colocated() const { return first_worker_ == 0; }

  int server_rank(int server) const { return server; }
  int worker_rank(int worker) const { return first_worker_ + worker; }
  std::optional<int> server_of(int rank) const;
  std::optional<int> worker_of(int rank) const;

 private:
  Roles(int ranks, int servers, int first_worker)
      : ranks_(ranks), servers_(servers), first_worker_(first_worker) {}

  int ranks_;
  int servers_;
  int first_worker_;
};

}  // namespace odsgd
