#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/server.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// Updates the weights once `workers` pushes have come: adds the last one.
class EveryRound final : public ServerRule {
 public:
  explicit EveryRound(int workers) : workers_(workers) {}
  bool on_push(const ServerSlice& slice, Push push) override {
    if (++arrived_ % workers_ != 0) return false;
    for (std::size_t i = 0; i < slice.weights.size(); ++i) slice.weights[i] += push.gradient[i];
    return true;
  }

 private:
  int workers_;
  int arrived_ = 0;
};

/// Ranks 0 and 1 are servers, 2 and 3 workers; server 0 is under test. Its slice 0 is the 2 floats
/// of "first", its slice 2 the 1 float of "third"; slice 1, of "second", lies on server 1.
struct Bench {
  Bench() {
    layout.add("first", {2}, true);
    layout.add("second", {2}, false);
    layout.add("third", {1}, false);
    shards = std::make_unique<ShardMap>(layout, 2, 100);
    for (int rank = 0; rank < 4; ++rank) endpoints.push_back(hub.endpoint(rank));
    const MakeServerRule make_rule = [](std::size_t) { return std::make_unique<EveryRound>(2); };
    server = std::make_unique<Server>(*endpoints[0], layout, *shards, roles, 0, initial, make_rule);
  }

  /// What the server has sent to a rank since the last call.
  std::vector<Message> sent_to(int rank) {
    std::vector<Message> messages;
    while (auto message = endpoints[static_cast<std::size_t>(rank)]->receive({})) {
      messages.push_back(std::move(*message));
    }
    return messages;
  }

  InProcessHub hub{4};
  ParameterLayout layout;
  Roles roles = Roles::dedicated(4, 2);
  std::unique_ptr<ShardMap> shards;
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  std::vector<float> initial{10, 20, 30, 40, 60};
  std::unique_ptr<Server> server;
};

std::vector<float> floats_in(const Message& message, std::size_t count) {
  const auto floats = floats_of(message.payload, count);
  return {floats.begin(), floats.end()};
}

}  // namespace

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
  CHECK(floats_in(sent[0], 2) == std::vector<float>{10, 20});
  CHECK(header_of(sent[1]).slice == 2);
  CHECK(floats_in(sent[1], 1) == std::vector<float>{60});
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
  CHECK(floats_in(sent[0], 2) == std::vector<float>{15, 27});
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
  CHECK(floats_in(sent[0], 2) == std::vector<float>{11, 22});
}

TEST_CASE("server: all workers are sent one payload a clock, which later updates do not touch") {
  Bench bench;
  bench.server->handle(pull_from(2, 0, 0));
  bench.server->handle(pull_from(3, 0, 0));
  const auto first = bench.sent_to(2);
  const auto second = bench.sent_to(3);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(first[0].payload == second[0].payload);

  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 0, 0, {1, 1}));
  bench.server->handle(pull_from(2, 0, 1));

  CHECK(floats_in(first[0], 2) == std::vector<float>{10, 20});
  const auto later = bench.sent_to(2);
  REQUIRE(later.size() == 1);
  CHECK(later[0].payload != first[0].payload);
  CHECK(floats_in(later[0], 2) == std::vector<float>{11, 21});
}

TEST_CASE(
    "server: one rank's pulls of a slice are answered in order, also when a later one asks for "
    "less") {
  Bench bench;
  bench.server->handle(pull_from(2, 0, 1));
  bench.server->handle(pull_from(2, 0, 0));
  bench.server->handle(pull_from(3, 0, 0));
  CHECK(bench.sent_to(2).empty());
  CHECK(bench.sent_to(3).size() == 1);

  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 0, 0, {0, 0}));

  CHECK(bench.sent_to(2).size() == 2);
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
  CHECK(first[0].payload == second[0].payload);
  CHECK(header_of(first[0]).clock == 1);

  // The next such pull waits for the others again.
  bench.server->handle(pull_from(3, 0, 1, true));
  CHECK(bench.sent_to(3).empty());
}

TEST_CASE("server: counts by how many updates each push came late") {
  Bench bench;
  bench.server->handle(push_from(2, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 0, 0, {0, 0}));
  bench.server->handle(push_from(2, 0, 1, 0, {0, 0}));
  bench.server->handle(push_from(3, 0, 1, 1, {0, 0}));
  bench.server->handle(push_from(2, 0, 2, 0, {0, 0}));
  CHECK(bench.server->staleness() == StalenessCounts{{0, 3}, {1, 1}, {2, 1}});
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
                       "message: got 12 bytes, want 8 (2 floats)", Error);
  CHECK_THROWS_WITH_AS(
      server.handle(push_from(2, 0, 0, 1, {1, 2})),
      "push of first from worker 0: it was taken with clock 1, and the slice is at 0", Error);
  CHECK_THROWS_WITH_AS(server.handle(push_from(1, 0, 0, 0, {1, 2})),
                       "push from rank 1, which is no worker", Error);
  CHECK_THROWS_WITH_AS(server.handle(weights_from(1, 0, 0, {})),
                       "server 0: got a message of kind 2 from rank 1, want a push, pull or stop",
                       Error);
  Message strange = message_from(
      2, {.kind = MessageKind::kPush, .codec = static_cast<Codec>(9), .slice = 0}, {1, 2});
  CHECK_THROWS_WITH_AS(server.handle(strange), "push from worker 0: got codec 9, want float32",
                       Error);
}

TEST_CASE("server: refuses initial weights of another model") {
  Bench bench;
  bench.initial.pop_back();
  const MakeServerRule make_rule = [](std::size_t) { return std::make_unique<EveryRound>(2); };
  CHECK_THROWS_WITH_AS(Server(*bench.endpoints[0], bench.layout, *bench.shards, bench.roles, 0,
                              bench.initial, make_rule),
                       "server 0: got 4 initial weights, want 5", Error);
}
