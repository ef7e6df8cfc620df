#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/base/timeline.hpp"
#include "odsgd/ps/divergence.hpp"
#include "odsgd/ps/gathering.hpp"
#include "odsgd/ps/protocol.hpp"
#include "odsgd/ps/roles.hpp"
#include "odsgd/ps/server_rule.hpp"
#include "odsgd/ps/settings.hpp"
#include "odsgd/ps/shard_map.hpp"
#include "odsgd/ps/update_crew.hpp"

namespace odsgd {

/// How many pushes of slices were applied to weights that were so many updates newer than those
/// they were taken with.
using StalenessCounts = std::map<Clock, std::uint64_t>;

/// What a server has done so far.
struct ServerTotals {
  double update_s = 0;               ///< spent in update rules, by all threads together
  std::uint64_t bytes_received = 0;  ///< of gradients, as they were sent
  std::uint64_t bytes_sent = 0;      ///< of weights
};

/// One parameter server: holds its shard of the global weights, applies pushes by the algorithm's
/// rule, and answers each pull as soon as the pushes of as many steps as it asks for have been
/// applied, of every worker.
///
/// The weights of a slice are a payload: workers are sent them as they are, and an update writes
/// the next ones to another buffer as long as anybody still holds the old. Pushes of the next round
/// may come while this one is gathered or answered. Where each rank has a replica, one push is the
/// sum of all workers', and only this rank's worker pulls.
///
/// Threads: handle() and rethrow_failure() belong to the thread that dispatches; updates run there
/// too, or on a crew of their own; the others any.
class Server {
 public:
  /// `server` is this server's number; `initial` holds all parameters W^0, of which the server
  /// copies its shard. The references must outlive it. With a tracer each update is a span, of the
  /// step whose pushes it takes.
  Server(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
         const Roles& roles, int server, std::span<const float> initial, const ServerHalf& half,
         const ExchangeSettings& settings, const Tracer* tracer = nullptr);

  /// Called once, by the thread that updates, when weights are no longer finite; without it, that
  /// is an Error. To be set before the first message.
  void on_divergence(std::function<void(const Divergence&)> handler) {
    on_divergence_ = std::move(handler);
  }

  void handle(const Message& message);  ///< a push, pull or stop message; a pull on any thread

  /// Whether a push that is announced may come now, and counts it if so. A worker that is far ahead
  /// of the slowest had better wait a little: what is gathered stays in the cache when all push the
  /// same slices at the same time. Dispatching thread.
  bool admits(int source, std::size_t bytes, bool may_wait);

  void rethrow_failure();  ///< throws what an update on the crew has thrown, if any has

  /// Whether every worker has said stop. What was posted before may still be unsent.
  bool done() const { return stopped_.load(std::memory_order_acquire) == roles_.workers(); }

  /// Which pushes and pulls of a worker the others wait for.
  std::string pending_from(int worker) const;

  StalenessCounts staleness() const;
  ServerTotals totals() const;

 private:
  struct Waiting {
    int rank;
    std::uint64_t ticket;
    Clock at_least;  // steps of every worker,
    Clock own;       // and of this one: a worker's weights include what it has pushed with the pull
    bool together;
  };
  /// What a worker was sent last.
  struct Sent {
    Clock clock = 0;
    Payload weights;
  };
  struct Held {
    Held(const ServerHalf& half, int workers) : pushes(half, workers) {}

    std::uint32_t number = 0;  // in the shard map
    std::unique_ptr<ServerRule> rule;

    std::mutex mutex;   // guards all below, but for an update's reading while is_updating
    ServerSlice slice;  // its weights are those of `weights`
    Draft weights;      // written only when nobody else holds them
    Gathering pushes;
    std::vector<Sent> sent;  // by worker; of a half that keeps bases
    std::vector<Waiting> waiting;
    bool is_updating = false;
    bool is_in_place = false;  // the update writes where it reads: nobody may be sent that now
  };

  void take_push(Held& held, const Message& message);
  void gather(Held& held, int worker, const Header& header, const Message& message);
  bool is_answerable(const Held& held, const Waiting& pull, Clock steps) const;
  void require_finite(const Held& held, std::span<const Push> pushes,
                      std::span<const float> updated);
  void update_while_due(Held& held);
  void let_go(Held& held);
  void answer(Held& held);
  Held& find(const Message& message, const Header& header);

  Endpoint& endpoint_;
  const ParameterLayout& layout_;
  const Roles& roles_;
  int server_;
  bool takes_rounds_;
  bool keeps_bases_;
  std::function<void(const Divergence&)> on_divergence_;
  std::atomic<bool> has_diverged_ = false;
  ExchangeSettings settings_;
  std::shared_ptr<Timeline> timeline_;  // null: nothing is traced
  Timeline::Label update_label_;
  std::vector<std::unique_ptr<Held>> held_;  // by slice number; null where another server holds it
  std::atomic<int> stopped_ = 0;
  std::vector<std::uint64_t> admitted_;  // bytes of pushes, by worker; dispatching thread

  mutable std::mutex totals_mutex_;  // guards the two below
  StalenessCounts staleness_;
  ServerTotals totals_;

  std::optional<UpdateCrew> crew_;  // last: its threads use all of the above
};

}  // namespace odsgd
