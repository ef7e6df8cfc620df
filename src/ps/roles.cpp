#include "odsgd/ps/roles.hpp"

#include "odsgd/base/error.hpp"

namespace odsgd {

Roles Roles::dedicated(int ranks, int servers) {
  ODSGD_REQUIRE(servers >= 1, "servers: got {}, want 1 or more (or colocated)", servers);
  ODSGD_REQUIRE(servers < ranks,
                "servers: got {} of {} ranks, want at most {}, so that a worker is left (start "
                "more ranks, or use --servers colocated)",
                servers, ranks, ranks - 1);
  return {ranks, servers, servers};
}

Roles Roles::colocated(int ranks) {
  ODSGD_REQUIRE(ranks >= 1, "ranks: got {}, want 1 or more", ranks);
  return {ranks, ranks, 0};
}

Roles Roles::replicated(int ranks) {
  ODSGD_REQUIRE(ranks >= 1, "ranks: got {}, want 1 or more", ranks);
  return {ranks, ranks, 0, true};
}

std::optional<int> Roles::server_of(int rank) const {
  if (rank < 0 || rank >= servers_) return std::nullopt;
  return rank;
}

std::optional<int> Roles::worker_of(int rank) const {
  if (rank < first_worker_ || rank >= ranks_) return std::nullopt;
  return rank - first_worker_;
}

}  // namespace odsgd
