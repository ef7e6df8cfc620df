#include <doctest/doctest.h>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/roles.hpp"

using namespace odsgd;

TEST_CASE("roles: dedicated servers are the first ranks, the others workers") {
  const Roles roles = Roles::dedicated(5, 2);
  CHECK(roles.servers() == 2);
  CHECK(roles.workers() == 3);
  CHECK_FALSE(roles.is_colocated());
  CHECK(roles.server_of(1) == 1);
  CHECK_FALSE(roles.worker_of(1).has_value());
  CHECK_FALSE(roles.server_of(2).has_value());
  CHECK(roles.worker_of(2) == 0);
  CHECK(roles.worker_rank(2) == 4);
  CHECK(roles.server_rank(1) == 1);
  CHECK_FALSE(roles.worker_of(5).has_value());
  CHECK_FALSE(roles.server_of(-1).has_value());
}

TEST_CASE("roles: colocated, every rank is both") {
  const Roles roles = Roles::colocated(3);
  CHECK(roles.servers() == 3);
  CHECK(roles.workers() == 3);
  CHECK(roles.is_colocated());
  for (int rank = 0; rank < 3; ++rank) {
    CHECK(roles.server_of(rank) == rank);
    CHECK(roles.worker_of(rank) == rank);
  }
  CHECK(Roles::colocated(1).workers() == 1);
  CHECK_FALSE(roles.is_replicated());
  CHECK(roles.shards() == 3);
  CHECK(roles.clients() == 3);
  CHECK(roles.shard_of_server(2) == 2);
  CHECK(roles.client_of(2) == 2);
}

TEST_CASE("roles: replicated, every rank is both and asks itself for all weights") {
  const Roles roles = Roles::replicated(3);
  CHECK(roles.is_colocated());
  CHECK(roles.is_replicated());
  CHECK(roles.servers() == 3);
  CHECK(roles.workers() == 3);
  CHECK(roles.shards() == 1);
  CHECK(roles.clients() == 1);
  for (int rank = 0; rank < 3; ++rank) {
    CHECK(roles.server_of(rank) == rank);
    CHECK(roles.worker_of(rank) == rank);
    CHECK(roles.shard_of_server(rank) == 0);
    CHECK(roles.client_of(rank) == 0);
  }
  CHECK_THROWS_WITH_AS(Roles::replicated(0), "ranks: got 0, want 1 or more", Error);
}

TEST_CASE("roles: at least one server and one worker must be left") {
  CHECK_THROWS_WITH_AS(Roles::dedicated(4, 0), "servers: got 0, want 1 or more (or colocated)",
                       Error);
  CHECK_THROWS_WITH_AS(Roles::dedicated(4, 4),
                       "servers: got 4 of 4 ranks, want at most 3, so that a worker is left (start "
                       "more ranks, or use --servers colocated)",
                       Error);
  CHECK_THROWS_AS(Roles::dedicated(1, 1), Error);
  CHECK_THROWS_WITH_AS(Roles::colocated(0), "ranks: got 0, want 1 or more", Error);
}
