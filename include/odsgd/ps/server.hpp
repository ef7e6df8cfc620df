#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/ps/protocol.hpp"
#include "odsgd/ps/roles.hpp"
#include "odsgd/ps/server_rule.hpp"
#include "odsgd/ps/shard_map.hpp"

namespace odsgd {

/// How many pushes of slices were applied to weights that were so many updates newer than those
/// they were taken with.
using StalenessCounts = std::map<Clock, std::uint64_t>;

/// One parameter server: holds its shard of the global weights, applies pushes by the algorithm's
/// rule, and answers each pull as soon as the slice's clock is what the pull asks for.
///
/// All workers that pull a slice at one clock are sent one and the same payload.
/// Threads: handle() belongs to the thread that dispatches; the other members to the same one, or
/// to any after done().
class Server {
 public:
  /// `server` is this server's number; `initial` holds all parameters W^0, of which the server
  /// copies its shard. The references must outlive it.
  Server(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
         const Roles& roles, int server, std::span<const float> initial,
         const MakeServerRule& make_rule);

  void handle(const Message& message);  ///< a push, pull or stop message

  /// Whether every worker has said stop. What was posted before may still be unsent.
  bool done() const { return stopped_ == roles_.workers(); }

  const StalenessCounts& staleness() const { return staleness_; }
  double update_s() const { return update_s_; }  ///< time spent in update rules so far

 private:
  struct Waiting {
    int rank;
    Clock at_least;
  };
  struct Held {
    std::uint32_t number = 0;  // in the shard map
    ServerSlice slice;
    std::unique_ptr<ServerRule> rule;
    std::vector<Waiting> waiting;
    Payload reply;  // the weights at the present clock, once somebody has asked for them
  };

  void take_push(Held& held, const Message& message);
  void answer(Held& held);
  Held& find(const Message& message);

  Endpoint& endpoint_;
  const ParameterLayout& layout_;
  const ShardMap& shards_;
  const Roles& roles_;
  int server_;
  AlignedBuffer<float> weights_;
  std::vector<std::optional<Held>> held_;  // by slice number; empty where another server holds it
  int stopped_ = 0;
  StalenessCounts staleness_;
  double update_s_ = 0;
};

}  // namespace odsgd
