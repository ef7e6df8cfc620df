#pragma once

#include <atomic>
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

/// What a server has done so far.
struct ServerTotals {
  double update_s = 0;               ///< time spent in update rules
  std::uint64_t bytes_received = 0;  ///< of gradients, without headers
  std::uint64_t bytes_sent = 0;      ///< of weights, without headers
};

/// One parameter server: holds its shard of the global weights, applies pushes by the algorithm's
/// rule, and answers each pull as soon as the slice's clock is what the pull asks for.
///
/// All workers that pull a slice at one clock are sent one and the same payload.
/// Threads: handle(), staleness() and totals() belong to the thread that dispatches, done() to
/// any.
class Server {
 public:
  /// `server` is this server's number; `initial` holds all parameters W^0, of which the server
  /// copies its shard. The references must outlive it.
  Server(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
         const Roles& roles, int server, std::span<const float> initial,
         const MakeServerRule& make_rule);

  void handle(const Message& message);  ///< a push, pull or stop message

  /// Whether every worker has said stop. What was posted before may still be unsent.
  bool done() const { return stopped_.load(std::memory_order_acquire) == roles_.workers(); }

  const StalenessCounts& staleness() const { return staleness_; }
  const ServerTotals& totals() const { return totals_; }

 private:
  struct Waiting {
    int rank;
    Clock at_least;
    bool together;
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
  Payload reply_of(Held& held);
  Held& find(const Message& message);

  Endpoint& endpoint_;
  const ParameterLayout& layout_;
  const ShardMap& shards_;
  const Roles& roles_;
  int server_;
  AlignedBuffer<float> weights_;
  std::vector<std::optional<Held>> held_;  // by slice number; empty where another server holds it
  std::vector<bool> held_up_;              // by rank; scratch of answer()
  std::atomic<int> stopped_ = 0;
  StalenessCounts staleness_;
  ServerTotals totals_;
};

}  // namespace odsgd
