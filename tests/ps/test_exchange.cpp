#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/exchange.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

namespace {

/// Adds each push to the weights at once.
class AddAtOnce final : public ServerRule {
 public:
  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    std::vector<float> g(updated.size());
    decode(pushes.front().codec, pushes.front().body.bytes(), 0, g);
    for (std::size_t i = 0; i < updated.size(); ++i) updated[i] = slice.weights[i] + g[i];
  }
};

const ServerHalf kAddAtOnce{.takes_rounds = false,
                            .make_rule = [](std::size_t) { return std::make_unique<AddAtOnce>(); }};

ParameterLayout two_keys() {
  ParameterLayout layout;
  layout.add("first", {5000}, true);
  layout.add("second", {3}, false);
  return layout;
}

/// Every worker pushes 1 for each float 20 times; the weights start at 0, 1, 2, ...
void check_sums(const Roles& roles, const Delays& delays) {
  const ParameterLayout layout = two_keys();
  const ShardMap shards(layout, roles.servers(), 700);
  std::vector<float> initial(layout.floats());
  std::iota(initial.begin(), initial.end(), 0.0F);
  const auto pushes = static_cast<Clock>(20 * roles.workers());
  std::atomic<std::uint64_t> counted = 0;
  const RankBody body = [&](Endpoint& endpoint) {
    Exchange exchange(endpoint, layout, shards, roles, initial, kAddAtOnce, {.timeout_s = 20});
    if (!roles.worker_of(endpoint.rank())) {
      exchange.serve();
    } else {
      exchange.start();
      Client& client = exchange.client();
      for (Clock t = 0; t < 20; ++t) {
        for (const Key k : {1U, 0U}) {
          client.wait_until_sent(k);
          for (float& g : layout.slice(k, client.gradient())) g = 1;
          client.push(k, t, 0);
        }
      }
      for (const Key k : {0U, 1U}) {
        std::vector<float> w(layout[k].count);
        Ticket ticket = client.pull(k, 20);
        const PulledClock clock = client.wait(ticket, w);
        CHECK(clock.oldest == pushes);
        for (std::size_t i = 0; i < w.size(); ++i) {
          CHECK(w[i] == static_cast<float>(layout[k].offset + i + pushes));
        }
      }
      exchange.finish();
    }
    if (exchange.server() != nullptr) {
      for (const auto& [staleness, count] : exchange.server()->staleness()) counted += count;
    }
  };
  run_ranks(roles.ranks(), body, delays);
  CHECK(counted == pushes * shards.slices().size());
}

}  // namespace

TEST_CASE(
    "exchange: what workers push arrives in the weights once, dedicated or colocated, delayed or "
    "not") {
  check_sums(Roles::dedicated(4, 1), {});
  check_sums(Roles::dedicated(5, 3), {.longest = 500us, .seed = 1});
  check_sums(Roles::colocated(3), {});
  check_sums(Roles::colocated(3), {.longest = 500us, .seed = 2});
  check_sums(Roles::colocated(1), {});
}

TEST_CASE("exchange: finish waits for the answers of pulls that nobody waited for") {
  const ParameterLayout layout = two_keys();
  const Roles roles = Roles::dedicated(2, 1);
  const ShardMap shards(layout, 1, 700);
  const std::vector<float> initial(layout.floats());
  run_ranks(2, [&](Endpoint& endpoint) {
    Exchange exchange(endpoint, layout, shards, roles, initial, kAddAtOnce, {.timeout_s = 20});
    if (endpoint.rank() == 0) {
      exchange.serve();
      return;
    }
    exchange.start();
    exchange.client().pull(0, 0);
    exchange.finish();
    CHECK(exchange.client().unanswered() == 0);
    CHECK_FALSE(endpoint.receive(0us).has_value());
  });
}

TEST_CASE("exchange: an error in a server's rule reaches its own worker and the handler") {
  const ParameterLayout layout = two_keys();
  const Roles roles = Roles::colocated(1);
  const ShardMap shards(layout, 1, 10000);
  const std::vector<float> initial(layout.floats());
  InProcessHub hub(1);
  const auto endpoint = hub.endpoint(0);
  Exchange exchange(*endpoint, layout, shards, roles, initial, kAddAtOnce, {.timeout_s = 20});
  std::atomic<bool> is_told = false;
  exchange.on_error([&](const std::exception_ptr&) { is_told = true; });
  exchange.start();

  exchange.client().push(1, 0, 9);  // taken with a clock from the future
  Ticket ticket = exchange.client().pull(1, 0);
  std::vector<float> w(3);

  const char* text =
      "push of second from worker 0: it was taken with clock 9, and the slice is at 0";
  CHECK_THROWS_WITH_AS(exchange.client().wait(ticket, w), text, Error);
  CHECK_THROWS_WITH_AS(exchange.finish(), text, Error);
  while (!is_told) std::this_thread::yield();
}

TEST_CASE("exchange: a worker does not end before what it has lent is read") {
  const ParameterLayout layout = two_keys();
  const Roles roles = Roles::dedicated(3, 1);
  const ShardMap shards(layout, 1, 10000);
  const ServerHalf rounds{.takes_rounds = true, .make_rule = kAddAtOnce.make_rule};
  run_ranks(3, [&](Endpoint& endpoint) {
    const std::vector<float> initial(layout.floats());
    Exchange exchange(endpoint, layout, shards, roles, initial, rounds, {});
    if (endpoint.rank() == 0) {
      exchange.serve();
      return;
    }
    exchange.start();
    // The round is complete, and the first gradient let go, only when the second has come.
    if (endpoint.rank() == 2) std::this_thread::sleep_for(50ms);
    exchange.client().push(0, 0, 0);
    exchange.finish();
    CHECK(exchange.client().has_sent_all());
  });
}

TEST_CASE("exchange: notes go to their handler, and early messages are not lost") {
  const ParameterLayout layout = two_keys();
  const Roles roles = Roles::dedicated(2, 1);
  const ShardMap shards(layout, 1, 10000);
  const std::vector<float> initial(layout.floats());
  InProcessHub hub(2);
  const auto endpoint = hub.endpoint(0);
  Exchange exchange(*endpoint, layout, shards, roles, initial, kAddAtOnce, {.timeout_s = 20});
  std::vector<std::uint32_t> topics;
  exchange.on_note([&](const Message& note) { topics.push_back(header_of(note).slice); });

  exchange.dispatch_early(message_from(1, {.kind = MessageKind::kNote, .slice = 4}));
  exchange.dispatch_early(pull_from(1, 1, 0));
  post(*hub.endpoint(1), 0, message_from(1, {.kind = MessageKind::kNote, .slice = 5}));
  post(*hub.endpoint(1), 0, message_from(1, {.kind = MessageKind::kStop}));
  exchange.serve();

  CHECK(topics == std::vector<std::uint32_t>{4, 5});
  CHECK(header_of(*hub.endpoint(1)->receive(0us)).kind == MessageKind::kWeights);
}

TEST_CASE("exchange: serving and starting belong to the rank's role") {
  const ParameterLayout layout = two_keys();
  const Roles roles = Roles::dedicated(2, 1);
  const ShardMap shards(layout, 1, 10000);
  const std::vector<float> initial(layout.floats());
  InProcessHub hub(2);
  const auto server = hub.endpoint(0);
  const auto worker = hub.endpoint(1);
  Exchange of_server(*server, layout, shards, roles, initial, kAddAtOnce, {.timeout_s = 20});
  Exchange of_worker(*worker, layout, shards, roles, initial, kAddAtOnce, {.timeout_s = 20});
  CHECK_THROWS_WITH_AS(of_server.start(), "start: rank 0 is not a worker, or has started", Error);
  CHECK_THROWS_WITH_AS(of_worker.serve(), "serve: rank 1 is not a dedicated server", Error);
  CHECK_THROWS_WITH_AS(of_server.finish(), "finish: rank 0 has not started", Error);
  CHECK_THROWS_WITH_AS(of_worker.finish(), "finish: rank 1 has not started", Error);
}

TEST_CASE(
    "exchange: when one rank throws, the others end too, and the first error is what is seen") {
  const ParameterLayout layout = two_keys();
  const Roles roles = Roles::dedicated(4, 1);
  const ShardMap shards(layout, 1, 10000);
  const std::vector<float> initial(layout.floats());
  const auto run = [&](const std::function<void(int worker, Client&)>& broken) {
    run_ranks(4, [&](Endpoint& endpoint) {
      Exchange exchange(endpoint, layout, shards, roles, initial, kAddAtOnce, {.timeout_s = 20});
      const auto worker = roles.worker_of(endpoint.rank());
      if (!worker) {
        exchange.serve();
        return;
      }
      exchange.start();
      if (*worker == 1) broken(*worker, exchange.client());
      std::vector<float> w(5000);
      Ticket ticket = exchange.client().pull(0, 1000);  // a clock that never comes
      exchange.client().wait(ticket, w);
    });
  };
  const auto fails = [](int worker, Client&) { fail("worker {}: the disk is full", worker); };
  CHECK_THROWS_WITH_AS(run(fails), "worker 1: the disk is full", Error);
  const auto cheats = [](int, Client& client) { client.push(1, 0, 5); };
  CHECK_THROWS_WITH_AS(
      run(cheats), "push of second from worker 1: it was taken with clock 5, and the slice is at 0",
      Error);
}
