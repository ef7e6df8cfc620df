// Errors in the thread that moves messages, or on the crew that updates, end every wait.
#include <doctest/doctest.h>

#include <chrono>
#include <exception>
#include <functional>
#include <future>
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

class Refuse final : public ServerRule {
 public:
  void update(const ServerSlice& /*slice*/, std::span<const Push> /*pushes*/,
              std::span<float> /*updated*/) override {
    fail("rule: cannot update");
  }
};
const ServerHalf kRefuse{.takes_rounds = true,
                         .make_rule = [](std::size_t) { return std::make_unique<Refuse>(); }};

/// A job whose rank 1 is played by the test: rank 0 is either both, or a server alone. Its one key
/// is one slice.
struct Bench {
  Bench(const Roles& of_job, int server_threads) : roles(of_job) {
    layout.add("key", {3}, true);
    shards = std::make_unique<ShardMap>(layout, roles.servers(), 10);
    endpoint = hub.endpoint(0);
    peer = hub.endpoint(1);
    const std::vector<float> initial(3);
    exchange = std::make_unique<Exchange>(
        *endpoint, layout, *shards, roles, initial, kRefuse,
        ExchangeSettings{.timeout_s = 20, .server_threads = server_threads});
    exchange->on_error([this](const std::exception_ptr& error) { told.set_exception(error); });
  }

  InProcessHub hub{2};
  ParameterLayout layout;
  Roles roles;
  std::unique_ptr<ShardMap> shards;
  std::unique_ptr<Endpoint> endpoint;
  std::unique_ptr<Endpoint> peer;
  std::promise<void> told;
  std::unique_ptr<Exchange> exchange;
};

/// What goes wrong at rank 0, by a message of rank 1.
struct Fault {
  Message message;
  int server_threads;
  std::string text;
};
std::vector<Fault> faults() {
  const Message push = push_from(1, 0, 0, 0, {1, 2, 3});  // completes the round
  return {{push, 1, "rule: cannot update"},
          {push, 2, "rule: cannot update"},
          {message_from(1, {.kind = static_cast<MessageKind>(99)}), 1,
           "message from rank 1: got kind 99, which rank 0 does not expect"},
          {push_from(1, 0, 0, 0, {1, 2}), 1, "push of key from worker 1: got 8 bytes, want 12"},
          {message_from(1, {.kind = MessageKind::kWeights, .ticket = 5}, {1, 2, 3}), 1,
           "pull: ticket 5 is not open"}};
}

using Wait = std::function<void(Bench&, Ticket&)>;

void check_ends_with(const Fault& fault, const Wait& wait) {
  Bench bench(Roles::colocated(2), fault.server_threads);
  bench.exchange->start();
  Ticket ticket = bench.exchange->client().push_and_pull(0, 0, 0, 1);
  std::jthread other([&] {
    std::this_thread::sleep_for(10ms);  // so that the wait has begun, as a rule
    post(*bench.peer, 0, fault.message);
  });
  CHECK_THROWS_WITH_AS(wait(bench, ticket), fault.text.c_str(), Error);
}

}  // namespace

TEST_CASE("failures: what goes wrong in the thread that moves messages ends every wait with it") {
  const std::vector<Wait> waits{
      [](Bench& bench, Ticket& ticket) {
        std::vector<float> w(3);
        bench.exchange->client().wait(ticket, w);
      },
      [](Bench& bench, Ticket&) { bench.exchange->client().wait_until_sent(0); },
      [](Bench& bench, Ticket&) { bench.exchange->finish(); },
      [](Bench& bench, Ticket&) { bench.told.get_future().get(); }};
  for (const Fault& fault : faults()) {
    for (std::size_t i = 0; i < waits.size(); ++i) {
      CAPTURE(fault.text);
      CAPTURE(i);
      check_ends_with(fault, waits[i]);
    }
  }
}

TEST_CASE("failures: a rule that throws ends the serving, on the thread that serves or on a crew") {
  for (const int server_threads : {1, 2}) {
    CAPTURE(server_threads);
    Bench bench(Roles::dedicated(2, 1), server_threads);
    post(*bench.peer, 0, push_from(1, 0, 0, 0, {1, 2, 3}));
    CHECK_THROWS_WITH_AS(bench.exchange->serve(), "rule: cannot update", Error);
  }
}
