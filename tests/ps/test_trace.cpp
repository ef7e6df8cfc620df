#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "odsgd/ps/client.hpp"
#include "odsgd/ps/server.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// Leaves the weights as they are, and notes when it was asked.
class Still final : public ServerRule {
 public:
  explicit Still(std::vector<double>& calls) : calls_(calls) {}
  void update(const ServerSlice& slice, std::span<const Push>, std::span<float> updated) override {
    calls_.push_back(now_s());
    std::copy(slice.weights.begin(), slice.weights.end(), updated.begin());
  }

 private:
  std::vector<double>& calls_;
};

/// Rank 0 is the server, rank 1 the worker. Messages have 2 floats: the key "first" is slices 0 and
/// 1, "second" is slice 2.
struct Bench {
  Bench() {
    layout.add("first", {4}, true);
    layout.add("second", {2}, false);
    shards = std::make_unique<ShardMap>(layout, 1, 2);
    for (int rank = 0; rank < 2; ++rank) endpoints.push_back(hub.endpoint(rank));
  }
  std::unique_ptr<Client> client() {
    return std::make_unique<Client>(*endpoints[1], layout, *shards, roles, settings, &tracer);
  }
  std::unique_ptr<Server> server(bool takes_rounds) {
    const ServerHalf half{.takes_rounds = takes_rounds, .make_rule = [this](std::size_t) {
                            return std::make_unique<Still>(calls);
                          }};
    return std::make_unique<Server>(*endpoints[0], layout, *shards, roles, 0, initial, half,
                                    settings, &tracer);
  }
  std::vector<Message> sent_to(std::size_t rank) {
    std::vector<Message> messages;
    while (auto message = endpoints[rank]->receive({})) messages.push_back(std::move(*message));
    return messages;
  }
  std::vector<Timeline::Span> spans() const { return tracer.timeline->spans(); }

  ExchangeSettings settings{.timeout_s = 20};
  InProcessHub hub{2};
  ParameterLayout layout;
  Roles roles = Roles::dedicated(2, 1);
  std::unique_ptr<ShardMap> shards;
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  std::vector<float> initial{1, 2, 3, 4, 5, 6};
  std::vector<double> calls;
  Tracer tracer{.timeline = std::make_shared<Timeline>()};
};

}  // namespace

TEST_CASE("client: with a tracer a slice's push is a span until the last owner lets go") {
  Bench bench;
  const auto client = bench.client();
  const double before_s = now_s();
  client->push(0, 7, 6);
  const double pushed_s = now_s();
  auto sent = bench.sent_to(0);
  REQUIRE(sent.size() == 2);
  CHECK(bench.spans().empty());
  CHECK_FALSE(client->has_sent_all());

  const double letting_go_s = now_s();
  sent.clear();

  CHECK(client->has_sent_all());
  REQUIRE(bench.spans().size() == 2);
  for (const Timeline::Span& span : bench.spans()) {
    CHECK(span.lane == Lane::kPush);
    CHECK(span.key == 0);
    CHECK(span.step == 7);
    CHECK(span.begin_s >= before_s);
    CHECK(span.begin_s <= pushed_s);
    CHECK(span.end_s >= letting_go_s);
  }
}

TEST_CASE("client: a push under way may outlive the client, its tracer and its timeline's owner") {
  auto bench = std::make_unique<Bench>();
  bench->client()->push(1, 0, 0);
  auto sent = bench->sent_to(0);
  const std::weak_ptr<Timeline> timeline = bench->tracer.timeline;
  bench.reset();
  CHECK_FALSE(timeline.expired());

  sent.clear();

  CHECK(timeline.expired());
}

TEST_CASE("client: with a tracer a key's pull is a span of its step until all has arrived") {
  Bench bench;
  const auto client = bench.client();
  bench.tracer.step = 3;
  Ticket ticket = client->push_and_pull(0, 3, 2, 4);
  const double asked_s = now_s();
  bench.tracer.step = 4;
  client->handle(weights_from(0, ticket, 1, 4, {3, 4}));
  CHECK(bench.spans().empty());

  const double last_s = now_s();
  client->handle(weights_from(0, ticket, 0, 4, {1, 2}));
  const double arrived_s = now_s();

  REQUIRE(bench.spans().size() == 1);  // the pushes are still with the server
  const Timeline::Span span = bench.spans()[0];
  CHECK(span.lane == Lane::kPull);
  CHECK(span.key == 0);
  CHECK(span.step == 3);
  CHECK(span.begin_s <= asked_s);
  CHECK(span.end_s >= last_s);
  CHECK(span.end_s <= arrived_s);
}

TEST_CASE("server: with a tracer each update of a slice is a span of its pushes' step") {
  for (const bool takes_rounds : {true, false}) {
    Bench bench;
    const auto server = bench.server(takes_rounds);

    server->handle(push_from(1, 2, 0, 0, {0, 0}));
    server->handle(push_from(1, 2, 1, 1, {0, 0}));
    server->handle(push_from(1, 0, 0, 0, {0, 0}));

    const std::vector<Timeline::Span> spans = bench.spans();
    REQUIRE(spans.size() == 3);
    const Key keys[] = {1, 1, 0};
    const Clock steps[] = {0, 1, 0};
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(spans[i].lane == Lane::kServer);
      CHECK(spans[i].key == keys[i]);
      CHECK(spans[i].step == steps[i]);
      CHECK(spans[i].begin_s <= bench.calls[i]);
      CHECK(bench.calls[i] <= spans[i].end_s);
    }
  }
}
