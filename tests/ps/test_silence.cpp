// Ranks that stop dispatching in the middle of an exchange, as a process does that is stopped.
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/exchange.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

namespace {

class AddAll final : public ServerRule {
 public:
  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    for (std::size_t i = 0; i < updated.size(); ++i) {
      updated[i] = slice.weights[i];
      for (const Push& push : pushes) updated[i] += floats_of(push.body, updated.size())[i];
    }
  }
};
const ServerHalf kAddAll{.takes_rounds = true,
                         .make_rule = [](std::size_t) { return std::make_unique<AddAll>(); }};

/// What each rank has thrown; empty: nothing.
using Errors = std::vector<std::string>;

/// A job of 2 servers and 3 workers, or of 3 ranks that are both. Every worker makes one step of
/// all keys together, and then the `stopped` rank dispatches no more, while the others go on to
/// wait for another step. They end when each has its error.
Errors run_with_stopped(const Roles& roles, int stopped) {
  ParameterLayout layout;
  layout.add("first", {5000}, true);
  layout.add("second", {3}, false);
  const ShardMap shards(layout, roles.shards(), 700);
  const std::vector<float> initial(layout.floats());
  const ExchangeSettings settings{.timeout_s = 1};
  InProcessHub hub(roles.ranks());
  Errors errors(static_cast<std::size_t>(roles.ranks()));
  std::atomic<int> ended = 0;
  const auto step = [&](Client& client, Clock t) {
    std::vector<float> w(layout.floats());
    for (const Key k : {1U, 0U}) client.wait_until_sent(k);
    Ticket second = client.push_and_pull(1, t, t, t + 1);
    Ticket first = client.push_and_pull(0, t, t, t + 1);
    client.wait(second, layout.slice(1, std::span(w)));
    client.wait(first, layout.slice(0, std::span(w)));
  };
  const auto work = [&](int rank) {
    const auto endpoint = hub.endpoint(rank);
    Exchange exchange(*endpoint, layout, shards, roles, initial, kAddAll, settings);
    const bool is_worker = roles.worker_of(rank).has_value();
    if (rank == stopped && !is_worker) {
      Dispatcher until_stopped(*endpoint);  // a server that answers the first round's pulls
      Server server(*endpoint, layout, shards, roles, *roles.server_of(rank), initial, kAddAll,
                    settings);
      const auto slices = std::count_if(shards.slices().begin(), shards.slices().end(),
                                        [&](const Slice& s) { return s.server == rank; });
      for (auto pushes = slices * roles.workers(); pushes > 0;) {
        const auto message = endpoint->receive(20s);
        REQUIRE(message);
        if (header_of(*message).kind == MessageKind::kHeartbeat) continue;
        server.handle(*message);
        --pushes;
      }
      while (ended < roles.ranks() - 1) std::this_thread::sleep_for(1ms);
      return;
    }
    if (!is_worker) {
      exchange.serve();
      return;
    }
    exchange.start();
    step(exchange.client(), 0);
    if (rank == stopped) {
      exchange.abandon();
      while (ended < roles.ranks() - 1) std::this_thread::sleep_for(1ms);
      return;
    }
    step(exchange.client(), 1);
  };
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < roles.ranks(); ++rank) {
      threads.emplace_back([&, rank] {
        try {
          work(rank);
        } catch (const std::exception& error) {
          errors[static_cast<std::size_t>(rank)] = error.what();
        }
        // Over MPI the first error ends all ranks: the others do not live to blame each other.
        if (!errors[static_cast<std::size_t>(rank)].empty()) {
          hub.abort(errors[static_cast<std::size_t>(rank)]);
        }
        ++ended;
      });
    }
  }
  return errors;
}

void check_blames(const Errors& errors, int stopped, const std::string& who,
                  const std::string& owes) {
  for (std::size_t rank = 0; rank < errors.size(); ++rank) {
    CAPTURE(rank);
    if (rank == static_cast<std::size_t>(stopped)) continue;
    CHECK(errors[rank].starts_with(who + ": got no message for "));
    CHECK(errors[rank].find("pending from there: " + owes) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("silence: a worker that stops is named by the servers, with the pushes it owes") {
  check_blames(run_with_stopped(Roles::dedicated(5, 2), 3), 3, "rank 3 (worker 1)",
               "push of first at step 1");
}

TEST_CASE("silence: a server that stops is named by the workers, with the pulls it owes") {
  check_blames(run_with_stopped(Roles::dedicated(4, 1), 0), 0, "rank 0 (server 0)",
               "pull of second at clock 2, pull of first at clock 2");
}

TEST_CASE("silence: a rank that is both is named once, with what it owes as either") {
  check_blames(run_with_stopped(Roles::colocated(3), 1), 1, "rank 1 (worker 1)", "pull of first");
}

TEST_CASE("silence: without servers a rank that stops is named, with the sums that wait for it") {
  check_blames(run_with_stopped(Roles::replicated(3), 1), 1, "rank 1 (worker 1)",
               "sum of second at step 1, sum of first at step 1");
}
