// Exchanges in which each rank has a replica of the weights.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/base/fifo.hpp"
#include "odsgd/ps/exchange.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ps/messages.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// Adds the mean of a round to the weights.
class AddMean final : public ServerRule {
 public:
  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    const auto g = floats_of(pushes.front().body, updated.size());
    for (std::size_t i = 0; i < updated.size(); ++i) {
      updated[i] = slice.weights[i] + g[i] / static_cast<float>(pushes.front().workers);
    }
  }
};
const ServerHalf kAddMean{.takes_rounds = true,
                          .make_rule = [](std::size_t) { return std::make_unique<AddMean>(); }};

ParameterLayout one_key() {
  ParameterLayout layout;
  layout.add("key", {100}, true);
  return layout;
}

/// Keeps back all messages but sums until so many sums have been received.
class SumsFirst final : public Endpoint {
 public:
  SumsFirst(Endpoint& inner, int sums) : inner_(inner), missing_(sums) {}

  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  std::size_t unsent() const override { return inner_.unsent(); }
  void post(int destination, const Envelope& envelope, Payload body, int urgency) override {
    inner_.post(destination, envelope, std::move(body), urgency);
  }
  void sum(const Envelope& envelope, Payload mine) override {
    inner_.sum(envelope, std::move(mine));
  }
  std::optional<Message> receive(std::chrono::microseconds patience) override {
    if (missing_ <= 0 && !kept_.empty()) return kept_.pop();
    auto message = inner_.receive(patience);
    if (!message) return message;
    if (header_of(*message).kind == MessageKind::kSum) {
      --missing_;
    } else if (missing_ > 0) {
      kept_.push(std::move(*message));
      return std::nullopt;
    }
    return message;
  }

 private:
  Endpoint& inner_;
  int missing_;
  Fifo<Message> kept_;
};

}  // namespace

TEST_CASE("without servers: a worker that is a step ahead gets weights of the clock it asked for") {
  const ParameterLayout layout = one_key();
  const ShardMap shards(layout, 1, 1000);
  const Roles roles = Roles::replicated(2);
  const std::vector<float> initial(layout.floats());
  run_ranks(2, [&](Endpoint& inner) {
    SumsFirst endpoint(inner, 2);
    Exchange exchange(endpoint, layout, shards, roles, initial, kAddMean, {.timeout_s = 20});
    exchange.start();
    Client& client = exchange.client();
    std::vector<Ticket> tickets;
    for (const Clock t : {0U, 1U}) {
      client.wait_until_sent(0);
      for (float& g : client.gradient())
        g = static_cast<float>(10 * t) + (inner.rank() == 0 ? 1 : 5);
      tickets.push_back(client.push_and_pull(0, t, 0, t + 1));
    }
    std::vector<float> w(layout.floats());
    CHECK(client.wait(tickets[0], w).newest == 1);
    CHECK(w == std::vector<float>(100, 3));
    CHECK(client.wait(tickets[1], w).newest == 2);
    CHECK(w == std::vector<float>(100, 3 + 13));
    exchange.finish();
  });
}

TEST_CASE(
    "without servers: gradients that are not finite are an error of every rank, of no worker") {
  const ParameterLayout layout = one_key();
  const ShardMap shards(layout, 1, 1000);
  const Roles roles = Roles::replicated(2);
  const std::vector<float> initial(layout.floats());
  run_ranks(2, [&](Endpoint& endpoint) {
    Exchange exchange(endpoint, layout, shards, roles, initial, kAddMean, {.timeout_s = 20});
    exchange.start();
    Client& client = exchange.client();
    for (float& g : client.gradient()) g = endpoint.rank() == 1 ? HUGE_VALF : 1;
    Ticket ticket = client.push_and_pull(0, 0, 0, 1);
    std::vector<float> w(layout.floats());
    CHECK_THROWS_WITH_AS(client.wait(ticket, w),
                         "step 1: weights of key: got inf, want finite numbers", Error);
  });
}

TEST_CASE("without servers: what cannot be summed is refused") {
  const ParameterLayout layout = one_key();
  const ShardMap shards(layout, 1, 10);
  const Roles roles = Roles::replicated(1);
  const std::vector<float> initial(layout.floats());
  InProcessHub hub(1);
  const auto endpoint = hub.endpoint(0);
  const auto make = [&](const ServerHalf& half, const ExchangeSettings& settings) {
    Exchange(*endpoint, layout, shards, roles, initial, half, settings);
  };
  ServerHalf single = kAddMean;
  single.takes_rounds = false;
  CHECK_NOTHROW(make(kAddMean, {}));
  CHECK_THROWS_AS(make(single, {}), Error);
  CHECK_THROWS_AS(make(kAddMean, {.push_codec = Codec::kBfloat16}), Error);
  CHECK_THROWS_AS(make(kAddMean, {.threshold = 1}), Error);
}
