#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/server.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"
#include "ps/server_bench.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;

TEST_CASE("server: holds the slices that the map gives it") {
  Bench bench;
  REQUIRE((*bench.shards)[0].server == 0);
  REQUIRE((*bench.shards)[1].server == 1);
  REQUIRE((*bench.shards)[2].server == 0);

  bench.server->handle(pull_from(2, 0, 0));
  bench.server->handle(pull_from(2, 2, 0));

  const auto sent = bench.sent_to(2);
  REQUIRE(sent.size() == 2);
  CHECK(header_of(sent[0]).kind == MessageKind::kWeights);
  CHECK(header_of(sent[0]).slice == 0);
  CHECK(header_of(sent[0]).clock == 0);
  CHECK(floats_in(sent[0]) == std::vector<float>{10, 20});
  CHECK(header_of(sent[1]).slice == 2);
  CHECK(floats_in(sent[1]) == std::vector<float>{60});
}

TEST_CASE("server: answers a pull when the slice has the clock asked for, and not before") {
  Bench bench;
  bench.server->handle(pull_from(2, 0, 1));
  bench.server->handle(push_from(2, 0, 0, 0, {1, 1}));
  CHECK(bench.sent_to(2).empty());

  bench.server->handle(push_from(3, 0, 0, 0, {5, 7}));

  const auto sent = bench.sent_to(2);
  REQUIRE(sent.size() == 1);
  CHECK(header_of(sent[0]).clock == 1);
  CHECK(floats_in(sent[0]) == std::vector<float>{15, 27});
  CHECK(bench.sent_to(3).empty());
}

TEST_CASE("server: a pull of an older clock gets the newest weights") {
  Bench bench;
  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 0, 0, {1, 2}));
  bench.server->handle(pull_from(3, 0, 0));
  const auto sent = bench.sent_to(3);
  REQUIRE(sent.size() == 1);
  CHECK(header_of(sent[0]).clock == 1);
  CHECK(floats_in(sent[0]) == std::vector<float>{11, 22});
}

TEST_CASE("server: all workers are sent one payload a clock, which later updates do not touch") {
  Bench bench;
  bench.server->handle(pull_from(2, 0, 0));
  bench.server->handle(pull_from(3, 0, 0));
  const auto first = bench.sent_to(2);
  const auto second = bench.sent_to(3);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(first[0].body.bytes().data() == second[0].body.bytes().data());

  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 0, 0, {1, 1}));
  bench.server->handle(pull_from(2, 0, 1));

  CHECK(floats_in(first[0]) == std::vector<float>{10, 20});
  const auto later = bench.sent_to(2);
  REQUIRE(later.size() == 1);
  CHECK(later[0].body.bytes().data() != first[0].body.bytes().data());
  CHECK(floats_in(later[0]) == std::vector<float>{11, 21});
}

TEST_CASE("server: answers carry the ticket of the pull, also of one that came with a push") {
  Bench bench;
  bench.server->handle(
      message_from(2, {.kind = MessageKind::kPush, .slice = 2, .ticket = 41, .at_least = 1}, {1}));
  CHECK(bench.sent_to(2).empty());
  bench.server->handle(push_from(3, 2, 0, 0, {5}));

  const auto sent = bench.sent_to(2);
  REQUIRE(sent.size() == 1);
  CHECK(header_of(sent[0]).ticket == 41);
  CHECK(header_of(sent[0]).clock == 1);
  CHECK(floats_in(sent[0]) == std::vector<float>{65});
  CHECK(bench.sent_to(3).empty());
}

TEST_CASE("server: weights that nobody holds are updated where they are") {
  Bench bench;
  const auto address = [&] {
    bench.server->handle(pull_from(2, 0, 0));
    return bench.sent_to(2).at(0).body.bytes().data();
  };
  const auto* first = address();
  for (Clock t = 0; t < 3; ++t) {
    bench.server->handle(push_from(2, 0, t, 0, {0, 0}));
    bench.server->handle(push_from(3, 0, t, 0, {1, 1}));
    CHECK(address() == first);
  }
}

TEST_CASE("server: a worker may push one step ahead of the round, and no further") {
  Bench bench;
  bench.server->handle(push_from(3, 0, 0, 0, {1, 1}));
  bench.server->handle(push_from(3, 0, 1, 0, {5, 5}));
  CHECK_THROWS_WITH_AS(bench.server->handle(push_from(3, 0, 2, 0, {5, 5})),
                       "push of first from worker 1: got step 2, want one push of step 0 to 1",
                       Error);
  CHECK_THROWS_WITH_AS(
      bench.server->handle(push_from(3, 0, 1, 0, {5, 5})),
      "push of first from worker 1: got step 1 again, want one push of step 0 to 1", Error);

  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  bench.server->handle(pull_from(2, 0, 1));
  CHECK(floats_in(bench.sent_to(2).at(0)) == std::vector<float>{11, 21});

  bench.server->handle(push_from(2, 0, 1, 1, {0, 0}));
  bench.server->handle(pull_from(2, 0, 2));
  CHECK(floats_in(bench.sent_to(2).at(0)) == std::vector<float>{16, 26});
}

TEST_CASE("server: a crew of threads updates as one thread does") {
  Bench bench({.server_threads = 3});
  for (Clock t = 0; t < 200; ++t) {
    for (const std::uint32_t slice : {0U, 2U}) {
      const std::size_t count = slice == 0 ? 2 : 1;
      bench.server->handle(push_from(2, slice, t, t, std::vector<float>(count, 0)));
      bench.server->handle(push_from(3, slice, t, t, std::vector<float>(count, 1)));
      bench.server->handle(pull_from(2, slice, t + 1));
    }
    for (int answers = 0; answers < 2; ++answers) {
      const Message message = receive_one(*bench.endpoints[2]);
      const bool is_first = header_of(message).slice == 0;
      CHECK(floats_in(message)[0] == static_cast<float>((is_first ? 11 : 61) + t));
    }
  }
  CHECK(bench.server->staleness() == StalenessCounts{{0, 800}});
}

TEST_CASE("server: an error on the crew is thrown on the dispatching thread") {
  class Broken final : public ServerRule {
   public:
    void update(const ServerSlice&, std::span<const Push>, std::span<float>) override {
      fail("rule: cannot");
    }
  };
  Bench bench;
  const ServerHalf half{.takes_rounds = false,
                        .make_rule = [](std::size_t) { return std::make_unique<Broken>(); }};
  Server server(*bench.endpoints[0], bench.layout, *bench.shards, bench.roles, 0, bench.initial,
                half, {.server_threads = 2});
  CHECK_NOTHROW(server.rethrow_failure());
  server.handle(push_from(2, 0, 0, 0, {0, 0}));
  const auto wait_for_failure = [&] {
    for (;;) {
      server.rethrow_failure();
      std::this_thread::yield();
    }
  };
  CHECK_THROWS_WITH_AS(wait_for_failure(), "rule: cannot", Error);
}

TEST_CASE(
    "server: a pull together is answered when all workers have sent one and the clock is there") {
  Bench bench;
  bench.server->handle(pull_from(2, 0, 1, true));
  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 0, 0, {1, 1}));
  bench.server->handle(pull_from(3, 0, 0));
  CHECK(bench.sent_to(2).empty());
  CHECK(bench.sent_to(3).size() == 1);

  bench.server->handle(pull_from(3, 0, 1, true));

  const auto first = bench.sent_to(2);
  const auto second = bench.sent_to(3);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(first[0].body.bytes().data() == second[0].body.bytes().data());
  CHECK(header_of(first[0]).clock == 1);

  // The next such pull waits for the others again.
  bench.server->handle(pull_from(3, 0, 1, true));
  CHECK(bench.sent_to(3).empty());
}

TEST_CASE("server: a worker far ahead of the slowest waits, if it may, until that one catches up") {
  Bench bench;
  constexpr std::size_t kMebi = std::size_t{1} << 20;
  CHECK(bench.server->admits(2, 5 * kMebi, true));
  CHECK_FALSE(bench.server->admits(2, 1, true));
  CHECK(bench.server->admits(2, 1, false));
  CHECK(bench.server->admits(3, 2 * kMebi, true));
  CHECK(bench.server->admits(2, 1, true));
  CHECK(bench.server->admits(0, 1, true));  // no worker: refused when it is handled
}

TEST_CASE("server: counts by how many updates each push came late") {
  Bench bench;
  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(2, 0, 1, 0, {0, 0}));  // ahead: it counts when it is applied
  CHECK(bench.server->staleness().empty());
  bench.server->handle(push_from(3, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 1, 1, {0, 0}));
  bench.server->handle(push_from(2, 0, 2, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 2, 2, {0, 0}));
  CHECK(bench.server->staleness() == StalenessCounts{{0, 4}, {1, 1}, {2, 1}});
}

TEST_CASE("server: is done when every worker has said stop") {
  Bench bench;
  CHECK_FALSE(bench.server->done());
  bench.server->handle(message_from(2, {.kind = MessageKind::kStop}));
  CHECK_FALSE(bench.server->done());
  bench.server->handle(message_from(3, {.kind = MessageKind::kStop}));
  CHECK(bench.server->done());
}

TEST_CASE("server: refuses what it cannot serve, naming it") {
  Bench bench;
  Server& server = *bench.server;
  CHECK_THROWS_WITH_AS(server.handle(pull_from(2, 1, 0)),
                       "message from rank 2: server 0 does not hold slice 1", Error);
  CHECK_THROWS_WITH_AS(server.handle(push_from(3, 3, 0, 0, {1})),
                       "message from rank 3: server 0 does not hold slice 3", Error);
  CHECK_THROWS_WITH_AS(server.handle(push_from(2, 0, 0, 0, {1, 2, 3})),
                       "push of first from worker 0: got 12 bytes, want 8", Error);
  CHECK_THROWS_WITH_AS(
      server.handle(push_from(2, 0, 0, 1, {1, 2})),
      "push of first from worker 0: it was taken with clock 1, and the slice is at 0", Error);
  CHECK_THROWS_WITH_AS(server.handle(push_from(1, 0, 0, 0, {1, 2})),
                       "push from rank 1, which is no worker", Error);
  CHECK_THROWS_WITH_AS(server.handle(weights_from(1, {}, 0, 0, {})),
                       "server 0: got a message of kind 2 from rank 1, want a push, pull or stop",
                       Error);
  Message strange = message_from(
      2, {.kind = MessageKind::kPush, .codec = static_cast<Codec>(9), .slice = 0}, {1, 2});
  CHECK_THROWS_WITH_AS(server.handle(strange),
                       "push from worker 0: got codec 9, which this program does not know", Error);
}

TEST_CASE("server: refuses initial weights of another model") {
  Bench bench;
  bench.initial.pop_back();
  CHECK_THROWS_WITH_AS(Server(*bench.endpoints[0], bench.layout, *bench.shards, bench.roles, 0,
                              bench.initial, kAddLast, {}),
                       "server 0: got 4 initial weights, want 5", Error);
}
