#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/client.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

namespace {

/// Ranks 0 and 1 are servers, and rank 2 the worker whose client is under test. Messages have 2
/// floats: "first" is slices 0 and 1 (2 + 2 floats) on server 0, "second" slice 2 on server 1.
struct Bench {
  explicit Bench(const ExchangeSettings& settings = {.timeout_s = 20}) {
    layout.add("first", {4}, true);
    layout.add("second", {2}, false);
    shards = std::make_unique<ShardMap>(layout, 2, 2);
    for (int rank = 0; rank < 3; ++rank) endpoints.push_back(hub.endpoint(rank));
    client = std::make_unique<Client>(*endpoints[2], layout, *shards, roles, settings);
  }

  std::vector<Message> sent_to(int rank) {
    std::vector<Message> messages;
    while (auto message = endpoints[static_cast<std::size_t>(rank)]->receive({})) {
      messages.push_back(std::move(*message));
    }
    return messages;
  }

  void set_gradient(const std::vector<float>& g) {
    std::copy(g.begin(), g.end(), client->gradient().begin());
  }

  InProcessHub hub{3};
  ParameterLayout layout;
  Roles roles = Roles::dedicated(3, 2);
  std::unique_ptr<ShardMap> shards;
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  std::unique_ptr<Client> client;
};

}  // namespace

TEST_CASE("client: a push is one message a slice, each to the server that holds it") {
  Bench bench;
  REQUIRE((*bench.shards)[1].server == 0);
  REQUIRE((*bench.shards)[2].server == 1);
  bench.set_gradient({1, 2, 3, 4, 5, 6});

  bench.client->push(0, 7, 6);

  const auto sent = bench.sent_to(0);
  REQUIRE(sent.size() == 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const Header header = header_of(sent[i]);
    CHECK(header.kind == MessageKind::kPush);
    CHECK(header.codec == Codec::kFloat32);
    CHECK(header.slice == i);
    CHECK(header.clock == 7);
    CHECK(header.base_clock == 6);
    CHECK(header.ticket == 0);
    CHECK(floats_of(sent[i].body, 2)[0] == static_cast<float>(2 * i + 1));
    CHECK(floats_of(sent[i].body, 2)[1] == static_cast<float>(2 * i + 2));
  }
  CHECK(bench.sent_to(1).empty());
  CHECK(bench.client->totals().bytes_pushed == 16);
}

TEST_CASE("client: a push is sent from the gradient itself, which is lent until all have read it") {
  Bench bench;
  bench.client->push(1, 0, 0);
  auto sent = bench.sent_to(1);
  CHECK(sent.at(0).body.bytes().data() ==
        std::as_bytes(bench.client->gradient().subspan(4)).data());

  CHECK_THROWS_WITH_AS(bench.client->push(1, 1, 1),
                       "push of slice 2: its last push is still being sent", Error);
  CHECK_NOTHROW(bench.client->wait_until_sent(0));

  sent.clear();
  CHECK_NOTHROW(bench.client->wait_until_sent(1));
  CHECK_NOTHROW(bench.client->push(1, 1, 1));
}

TEST_CASE("client: what is lent may outlive the client") {
  Bench bench;
  bench.set_gradient({1, 2, 3, 4, 5, 6});
  bench.client->push(1, 0, 0);
  const auto sent = bench.sent_to(1);

  bench.client.reset();

  CHECK(floats_in(sent.at(0)) == std::vector<float>{5, 6});
}

TEST_CASE("client: a push that pulls says in the same message which clock it asks for") {
  Bench bench;
  Ticket ticket = bench.client->push_and_pull(0, 7, 6, 8);

  const auto sent = bench.sent_to(0);
  REQUIRE(sent.size() == 2);
  for (const Message& message : sent) {
    CHECK(header_of(message).kind == MessageKind::kPush);
    CHECK(header_of(message).ticket == ticket.id);
    CHECK(header_of(message).at_least == 8);
  }
  bench.client->handle(weights_from(0, ticket, 0, 8, {1, 2}));
  bench.client->handle(weights_from(0, ticket, 1, 8, {3, 4}));
  std::vector<float> w(4);
  CHECK(bench.client->wait(ticket, w).oldest == 8);
  CHECK(w == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("client: with another codec a push is written to memory of its own") {
  Bench bench({.timeout_s = 20, .push_codec = Codec::kBfloat16});
  bench.set_gradient({1, -2, 3, 4, 5, 6});

  bench.client->push(0, 0, 0);
  bench.set_gradient({0, 0, 0, 0, 0, 0});

  const auto sent = bench.sent_to(0);
  REQUIRE(sent.size() == 2);
  CHECK(header_of(sent[0]).codec == Codec::kBfloat16);
  REQUIRE(sent[0].body.size() == 4);
  std::vector<float> read(2);
  decode(Codec::kBfloat16, sent[0].body.bytes(), 0, read);
  CHECK(read == std::vector<float>{1, -2});
  decode(Codec::kBfloat16, sent[1].body.bytes(), 0, read);
  CHECK(read == std::vector<float>{3, 4});
  CHECK(bench.client->totals().bytes_pushed == 8);
}

TEST_CASE("client: a pull is complete when all slices have come, in any order") {
  Bench bench;
  Ticket ticket = bench.client->pull(0, 3);
  const auto asked = bench.sent_to(0);
  REQUIRE(asked.size() == 2);
  CHECK(header_of(asked[1]).kind == MessageKind::kPull);
  CHECK(header_of(asked[1]).slice == 1);
  CHECK(header_of(asked[1]).at_least == 3);
  CHECK(header_of(asked[1]).ticket == ticket.id);
  CHECK_FALSE(header_of(asked[1]).together);
  CHECK(bench.client->unanswered() == 1);

  bench.client->handle(weights_from(0, ticket, 1, 5, {3, 4}));
  CHECK(bench.client->unanswered() == 1);
  bench.client->handle(weights_from(0, ticket, 0, 3, {1, 2}));
  CHECK(bench.client->unanswered() == 0);

  std::vector<float> w(4);
  const PulledClock clock = bench.client->wait(ticket, w);
  CHECK(w == std::vector<float>{1, 2, 3, 4});
  CHECK(clock.oldest == 3);
  CHECK(clock.newest == 5);
  CHECK_FALSE(ticket);
  CHECK(bench.client->totals().bytes_pulled == 16);
}

TEST_CASE("client: an answer lands where it is wanted, once that is known, and only then") {
  Bench bench;
  Ticket ticket = bench.client->pull(0, 3);
  std::vector<float> w(4);
  const Header header{.kind = MessageKind::kWeights, .slice = 1, .clock = 3, .ticket = ticket.id};
  CHECK(bench.client->landing(header, 8).empty());

  bench.client->receive_into(ticket, w);

  const auto place = bench.client->landing(header, 8);
  CHECK(place.data() == std::as_writable_bytes(std::span(w)).data() + 8);
  CHECK(place.size() == 8);
  CHECK(bench.client->landing(header, 4).empty());
  Header other = header;
  other.slice = 2;
  CHECK(bench.client->landing(other, 8).empty());
  other = header;
  ++other.ticket;
  CHECK(bench.client->landing(other, 8).empty());

  w = {0, 0, 5, 6};
  bench.client->handle({0, envelope_of(header), Payload(place)});
  bench.client->handle(weights_from(0, ticket, 0, 3, {1, 2}));
  bench.client->wait(ticket, w);
  CHECK(w == std::vector<float>{1, 2, 5, 6});
  CHECK(bench.client->landing(header, 8).empty());
}

TEST_CASE("client: a push without a clock says of each slice which weights were waited for last") {
  Bench bench;
  Ticket ticket = bench.client->pull(0, 3);
  bench.client->handle(weights_from(0, ticket, 1, 5, {3, 4}));
  bench.client->handle(weights_from(0, ticket, 0, 3, {1, 2}));
  std::vector<float> w(4);
  bench.client->wait(ticket, w);
  Ticket unused = bench.client->pull(0, 6);
  bench.client->handle(weights_from(0, unused, 0, 6, {1, 2}));  // has come, and is not in use
  bench.sent_to(0);

  bench.client->push(0, 4, std::nullopt);

  const auto sent = bench.sent_to(0);
  REQUIRE(sent.size() == 2);
  CHECK(header_of(sent[0]).base_clock == 3);
  CHECK(header_of(sent[1]).base_clock == 5);
}

TEST_CASE("client: two pulls of one key may be under way, and be answered in any order") {
  Bench bench;
  Ticket first = bench.client->pull(1, 1);
  Ticket second = bench.client->pull_together(1, 2);
  CHECK(header_of(bench.sent_to(1)[1]).together);
  bench.client->handle(weights_from(1, second, 2, 2, {2, 2}));
  bench.client->handle(weights_from(1, first, 2, 1, {1, 1}));

  std::vector<float> w(2);
  CHECK(bench.client->wait(second, w).oldest == 2);
  CHECK(w == std::vector<float>{2, 2});
  CHECK(bench.client->wait(first, w).oldest == 1);
  CHECK(w == std::vector<float>{1, 1});
}

TEST_CASE("client: a wait is woken by the answer") {
  Bench bench;
  Ticket ticket = bench.client->pull(1, 0);
  std::jthread server([&bench, ticket] {
    std::this_thread::sleep_for(10ms);
    bench.client->handle(weights_from(1, ticket, 2, 0, {8, 9}));
  });
  std::vector<float> w(2);
  bench.client->wait(ticket, w);
  CHECK(w == std::vector<float>{8, 9});
}

TEST_CASE("client: says what is pending from each server, a key once") {
  Bench bench;
  const Ticket ticket = bench.client->pull(0, 4);
  bench.client->push(1, 0, 0);
  CHECK(bench.client->pending_from(0) == "pull of first at clock 4");
  CHECK(bench.client->pending_from(1) == "receiving the push of second");

  bench.client->handle(weights_from(0, ticket, 1, 4, {3, 4}));
  CHECK(bench.client->pending_from(0) == "pull of first at clock 4");
  bench.client->handle(weights_from(0, ticket, 0, 4, {1, 2}));
  bench.sent_to(1);
  CHECK(bench.client->pending_from(0) == "nothing");
  CHECK(bench.client->pending_from(1) == "nothing");
}

TEST_CASE("client: fail wakes all waits with the exception, and every later one") {
  Bench bench;
  Ticket ticket = bench.client->pull(1, 0);
  bench.client->push(1, 0, 0);  // nobody reads it
  CHECK_NOTHROW(bench.client->rethrow_failure());
  std::jthread dispatcher([&] {
    std::this_thread::sleep_for(10ms);
    bench.client->fail(std::make_exception_ptr(Error("link down")));
    bench.client->fail(std::make_exception_ptr(Error("a consequence")));
  });
  std::vector<float> w(2);
  CHECK_THROWS_WITH_AS(bench.client->wait_until_sent(1), "link down", Error);
  CHECK_THROWS_WITH_AS(bench.client->wait(ticket, w), "link down", Error);
  dispatcher.join();
  CHECK_THROWS_WITH_AS(bench.client->wait(ticket, w), "link down", Error);
  CHECK_THROWS_WITH_AS(bench.client->rethrow_failure(), "link down", Error);
}

TEST_CASE("client: refuses answers that nobody asked for, that are too old or of a wrong length") {
  Bench bench;
  CHECK_THROWS_WITH_AS(bench.client->handle(weights_from(0, Ticket{9}, 0, 0, {1, 2})),
                       "pull: ticket 9 is not open", Error);
  const Ticket ticket = bench.client->pull(1, 2);
  CHECK_THROWS_WITH_AS(bench.client->handle(weights_from(0, ticket, 3, 2, {1, 2})),
                       "weights from rank 0: slice 3 was not asked for", Error);
  CHECK_THROWS_WITH_AS(bench.client->handle(weights_from(1, ticket, 2, 1, {1, 2})),
                       "weights of second from rank 1: got clock 1, want 2 or later", Error);
  CHECK_THROWS_WITH_AS(bench.client->handle(weights_from(1, ticket, 2, 2, {1, 2, 3})),
                       "message: got 12 bytes, want 8 (2 floats)", Error);
  bench.client->handle(weights_from(1, ticket, 2, 2, {1, 2}));
  CHECK_THROWS_WITH_AS(bench.client->handle(weights_from(1, ticket, 2, 2, {1, 2})),
                       "weights from rank 1: slice 2 was not asked for", Error);
}

TEST_CASE("client: refuses ranges of a wrong length and tickets that are not open") {
  Bench bench;
  std::vector<float> three(3);
  std::vector<float> two(2);
  std::vector<float> others(2);
  Ticket ticket = bench.client->pull(1, 0);
  CHECK_THROWS_WITH_AS(bench.client->wait(ticket, three),
                       "pull of second: got room for 3 floats, want 2", Error);
  bench.client->receive_into(ticket, two);
  CHECK_THROWS_WITH_AS(bench.client->wait(ticket, others),
                       "pull of second: is received elsewhere already", Error);
  Ticket none;
  CHECK_THROWS_WITH_AS(bench.client->wait(none, two), "pull: ticket 0 is not open", Error);
}

TEST_CASE("client: stop is said to every server") {
  Bench bench;
  bench.client->stop();
  for (const int server : {0, 1}) {
    const auto sent = bench.sent_to(server);
    REQUIRE(sent.size() == 1);
    CHECK(header_of(sent[0]).kind == MessageKind::kStop);
  }
}

TEST_CASE("flight times: the sum of what either kind had under way, overlaps counted once") {
  FlightTime time;
  time.begin(1);
  time.begin(2);
  time.end(4);
  CHECK(time.total(5) == 4);
  time.end(6);
  CHECK(time.total(9) == 5);
  time.begin(10);
  CHECK(time.total(12) == 7);
}
