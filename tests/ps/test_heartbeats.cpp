#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/heartbeats.hpp"
#include "odsgd/transport/in_process.hpp"

using namespace odsgd;
using namespace std::chrono_literals;

namespace {

/// One rank's heartbeats with a limit of 8 s, looked at with a clock that the test moves: a beat is
/// due each second, and silence of 6 s is an error.
struct Bench {
  Bench(const Roles& of_job, int me) : roles(of_job), hub(of_job.ranks()) {
    for (int rank = 0; rank < roles.ranks(); ++rank) endpoints.push_back(hub.endpoint(rank));
    heartbeats.emplace(*endpoints[static_cast<std::size_t>(me)], roles, 8.0,
                       [](int rank) { return "what rank " + std::to_string(rank) + " owes"; });
  }

  /// Looks ten times a second up to `until_s`; all but the silent ones are heard just before, which
  /// counts as heard at the look before that.
  void look_until(double until_s, const std::vector<int>& silent = {}) {
    for (; tenths <= static_cast<int>(until_s * 10); ++tenths) {
      for (int rank = 0; rank < roles.ranks(); ++rank) {
        if (std::find(silent.begin(), silent.end(), rank) == silent.end()) heartbeats->heard(rank);
      }
      heartbeats->look(tenths / 10.0);
    }
  }

  /// How many messages a rank was sent since it was last asked; all must be heartbeats.
  int sent_to(int rank) {
    int count = 0;
    while (const auto message = endpoints[static_cast<std::size_t>(rank)]->receive({})) {
      CHECK(header_of(*message).kind == MessageKind::kHeartbeat);
      ++count;
    }
    return count;
  }

  Roles roles;
  InProcessHub hub;
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  std::optional<Heartbeats> heartbeats;
  int tenths = 0;
};

}  // namespace

TEST_CASE("heartbeats: a worker beats for every server, a server for every worker, nobody else") {
  Bench worker(Roles::dedicated(4, 2), 3);
  worker.look_until(4.05);
  CHECK(worker.sent_to(0) == 5);
  CHECK(worker.sent_to(1) == 5);
  CHECK(worker.sent_to(2) == 0);
  CHECK(worker.sent_to(3) == 0);

  Bench server(Roles::dedicated(4, 2), 0);
  server.look_until(4.05);
  CHECK(server.sent_to(1) == 0);
  CHECK(server.sent_to(2) == 5);
  CHECK(server.sent_to(3) == 5);

  Bench both(Roles::colocated(3), 1);
  both.look_until(4.05);
  CHECK(both.sent_to(0) == 5);
  CHECK(both.sent_to(1) == 0);
  CHECK(both.sent_to(2) == 5);
}

TEST_CASE("heartbeats: who is silent for six eighths of the limit is named, with what it owes") {
  Bench server(Roles::dedicated(4, 1), 0);
  server.look_until(10);
  CHECK_NOTHROW(server.look_until(15.9, {2}));
  CHECK_THROWS_WITH_AS(
      server.look_until(17.2, {2}),
      doctest::Contains(
          "rank 2 (worker 1): got no message for 6.1 s, want a heartbeat every 1 s (is "
          "it stopped or cut off? --timeout is 8); pending from there: what rank 2 "
          "owes"),
      Error);

  Bench worker(Roles::dedicated(4, 2), 3);
  worker.look_until(10);
  CHECK_THROWS_WITH_AS(worker.look_until(17.2, {1, 2}),
                       doctest::Contains("rank 1 (server 1): got no message for 6.1 s"), Error);
}

TEST_CASE("heartbeats: silence counts from the first look") {
  Bench server(Roles::dedicated(2, 1), 0);
  server.tenths = 1000;
  CHECK_NOTHROW(server.look_until(105, {1}));
  CHECK_THROWS_AS(server.look_until(107.2, {1}), Error);
}

TEST_CASE("heartbeats: time in which this rank itself did not look is nobody's silence") {
  Bench server(Roles::dedicated(2, 1), 0);
  server.look_until(10);
  server.tenths = 10000;  // stopped, and continued
  CHECK_NOTHROW(server.look_until(1004.5, {1}));
  CHECK_THROWS_AS(server.look_until(1007.2, {1}), Error);
}

TEST_CASE("heartbeats: a worker that has stopped may be silent, and is sent nothing more") {
  Bench server(Roles::dedicated(3, 1), 0);
  server.look_until(2);
  server.heartbeats->worker_has_stopped(1);
  server.sent_to(1);
  CHECK_NOTHROW(server.look_until(30, {1}));
  CHECK(server.sent_to(1) == 0);
  CHECK(server.sent_to(2) > 20);
}

TEST_CASE(
    "heartbeats: a worker that says stop beats no more, and watches until its servers agree") {
  Bench worker(Roles::dedicated(3, 2), 2);
  worker.look_until(2);
  worker.heartbeats->says_stop();
  worker.sent_to(0);
  worker.look_until(4);
  CHECK(worker.sent_to(0) == 0);

  worker.heartbeats->server_has_stopped(0);
  CHECK_FALSE(worker.heartbeats->have_servers_stopped());
  CHECK_THROWS_WITH_AS(worker.look_until(12, {0, 1}), doctest::Contains("rank 1 (server 1)"),
                       Error);
  worker.heartbeats->server_has_stopped(1);
  CHECK(worker.heartbeats->have_servers_stopped());
  CHECK_NOTHROW(worker.look_until(30, {0, 1}));
}

TEST_CASE("heartbeats: a rank that is both goes on for those workers that have not stopped") {
  Bench both(Roles::colocated(3), 0);
  both.look_until(2);
  both.heartbeats->says_stop();
  both.heartbeats->worker_has_stopped(1);
  both.sent_to(1);
  both.sent_to(2);
  both.look_until(4);
  CHECK(both.sent_to(1) == 0);
  CHECK(both.sent_to(2) == 2);
}
