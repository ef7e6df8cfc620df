#include <doctest/doctest.h>

#include <chrono>

#include "odsgd/algorithms/registry.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/ps/exchange.hpp"
#include "support/training.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

namespace {

/// A server that answers every pull at once, one clock too new from clock `honest_until` on.
void serve_too_new(Endpoint& endpoint, Clock honest_until) {
  for (;;) {
    const Message message = receive_one(endpoint);
    const Header header = header_of(message);
    if (header.kind == MessageKind::kStop) {
      endpoint.post(message.source, envelope_of({.kind = MessageKind::kStopped}));
      return;
    }
    if (header.ticket == 0) continue;
    const Draft weights = endpoint.buffers().take(sizeof(float));
    const Clock clock = header.at_least + (header.at_least < honest_until ? 0 : 1);
    endpoint.post(message.source,
                  envelope_of({.kind = MessageKind::kWeights,
                               .slice = header.slice,
                               .clock = clock,
                               .ticket = header.ticket}),
                  weights.payload);
  }
}

/// The text of the error that stops a worker, within ten steps.
std::string error_of(const std::string& algorithm, Clock honest_until) {
  const Quadratic problem = uniform_quadratic(scalar_layout(), 1, {1}, {0});
  Setup setup{.algorithm = algorithm, .steps = 10};
  setup.settings.warmup_steps = 1;
  setup.reads_every_step = false;
  std::string text;
  run_ranks(2, [&](Endpoint& endpoint) {
    if (endpoint.rank() == 0) {
      serve_too_new(endpoint, honest_until);
      return;
    }
    try {
      train_rank(endpoint, setup, problem);
    } catch (const Error& error) {
      text = error.what();
    }
    endpoint.post(0, envelope_of({.kind = MessageKind::kStop}));
  });
  return text;
}

}  // namespace

TEST_CASE("versions: synchronous workers stop when a server gives weights of another clock") {
  for (const std::string algorithm : {"ssgd", "od-sgd"}) {
    CAPTURE(algorithm);
    CHECK(error_of(algorithm, 0) == "weights of weight: got clocks 1 to 1, want 0");
    CHECK(error_of(algorithm, 3) == "weights of weight: got clocks 4 to 4, want 3");
    CHECK(error_of(algorithm, 9) == "weights of weight: got clocks 10 to 10, want 9");
    CHECK(error_of(algorithm, 10) == "weights of weight: got clocks 11 to 11, want 10");
    CHECK(error_of(algorithm, 11).empty());
  }
}

TEST_CASE("versions: asgd takes what is newest, but asks for exact global weights") {
  CHECK(error_of("asgd", 1) == "weights of weight: got clocks 11 to 11, want 10");
  CHECK(error_of("asgd", 11).empty());
}

TEST_CASE("registry: algorithms are found by name, and an unknown one gets the list of names") {
  CHECK(algorithm_names() == std::vector<std::string>{"ssgd", "asgd", "dc-asgd", "ssp", "od-sgd",
                                                      "ssd-sgd", "cd-sgd", "local-sgd", "easgd",
                                                      "pipe-sgd", "dc-s3gd"});
  CHECK(find_algorithm("od-sgd").is_synchronous);
  CHECK_FALSE(find_algorithm("asgd").is_synchronous);
  CHECK_THROWS_WITH_AS(find_algorithm("adam"),
                       "algorithm: got adam, want one of ssgd, asgd, dc-asgd, ssp, od-sgd, "
                       "ssd-sgd, cd-sgd, local-sgd, easgd, pipe-sgd, dc-s3gd",
                       Error);
  CHECK(local_rule_of("sgd") == LocalRule::kSgd);
  CHECK(local_rule_names()[static_cast<std::size_t>(LocalRule::kMc)] == "mc");
  CHECK_THROWS_WITH_AS(local_rule_of("dc"),
                       "local rule: got dc, want one of none, sgd, dc-c, dc-a, dc-norm, mc, glu",
                       Error);
}
