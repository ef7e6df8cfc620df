#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "odsgd/ps/server.hpp"
#include "odsgd/transport/in_process.hpp"

namespace odsgd::test {

/// Adds the last worker's push of each round.
class AddLast final : public ServerRule {
 public:
  void update(const ServerSlice& slice, std::span<const Push> pushes,
              std::span<float> updated) override {
    std::vector<float> g(updated.size());
    decode(pushes.back().codec, pushes.back().body.bytes(), 0, g);
    for (std::size_t i = 0; i < updated.size(); ++i) updated[i] = slice.weights[i] + g[i];
  }
};

inline const ServerHalf kAddLast{
    .takes_rounds = true, .make_rule = [](std::size_t) { return std::make_unique<AddLast>(); }};

/// Ranks 0 and 1 are servers, 2 and 3 workers; server 0 is under test. Its slice 0 is the 2 floats
/// of "first", its slice 2 the 1 float of "third"; slice 1, of "second", lies on server 1.
struct Bench {
  explicit Bench(const ExchangeSettings& settings = {}, const ServerHalf& half = kAddLast) {
    layout.add("first", {2}, true);
    layout.add("second", {2}, false);
    layout.add("third", {1}, false);
    shards = std::make_unique<ShardMap>(layout, 2, 100);
    for (int rank = 0; rank < 4; ++rank) endpoints.push_back(hub.endpoint(rank));
    server =
        std::make_unique<Server>(*endpoints[0], layout, *shards, roles, 0, initial, half, settings);
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

}  // namespace odsgd::test
