#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/ps/protocol.hpp"
#include "odsgd/ps/roles.hpp"
#include "odsgd/ps/shard_map.hpp"

namespace odsgd {

/// A pull that was asked for and not yet waited for.
struct Ticket {
  std::uint64_t id = 0;  ///< 0: none
  explicit operator bool() const { return id != 0; }
};

/// The clocks of the slices of one pulled key; equal unless servers update without waiting for all
/// workers.
struct PulledClock {
  Clock oldest = 0;
  Clock newest = 0;
};

/// What a worker's exchange has cost so far.
struct ClientTotals {
  std::uint64_t bytes_pushed = 0;  ///< content, without headers
  std::uint64_t bytes_pulled = 0;
  double in_flight_s = 0;  ///< time during which at least one pull was unanswered
};

/// The worker's side of the parameter server: pushes gradients, pulls weights.
///
/// A push or pull of a key becomes one message per slice; the caller's floats are copied before
/// push() returns. Threads: push, pull and wait belong to the compute thread, handle() and fail()
/// to the thread that dispatches.
class Client {
 public:
  /// All references must outlive the client. A wait without any
  /// answer for `timeout_s` seconds is an Error.
  Client(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
         const Roles& roles, double timeout_s);

  /// Sends gradient g of `step`, taken with weights of clock `base_clock`; without one, with those
  /// that wait() gave last, slice by slice. g has the key's floats.
  void push(Key key, Clock step, std::optional<Clock> base_clock, std::span<const float> g);

  /// Asks for the key's weights with a clock of at least `at_least`. Pulls of one key are answered
  /// in order.
  Ticket pull(Key key, Clock at_least);

  /// Same, but answered only when every worker asks so. No worker can have gone on by then: when
  /// each has pushed all its steps so far, all get the weights of one and the same clock.
  Ticket pull_together(Key key, Clock at_least);

  /// Waits for the pull's answer, copies it to `into` (the key's floats) and clears the ticket.
  /// Throws Error when nothing arrives for the timeout (it names what is missing), and rethrows
  /// what broke the exchange.
  PulledClock wait(Ticket& ticket, std::span<float> into);

  /// Tells all servers that no more will come from this worker.
  void stop();

  void handle(const Message& message);  ///< a weights message
  void fail(std::exception_ptr error);  ///< wakes a waiting compute thread with this exception

  std::size_t unanswered() const;  ///< pulls that wait for an answer

  void rethrow_failure() const;  ///< throws what fail() was given, if it was

  ClientTotals totals() const;

 private:
  struct Pull {
    Key key = 0;
    Clock at_least = 0;
    std::vector<Payload> parts;  // one per slice of the key, in order
    std::size_t missing = 0;
    PulledClock clock;
  };

  Ticket ask(Key key, Clock at_least, bool together);
  void throw_timeout(const Pull& pull) const;

  Endpoint& endpoint_;
  const ParameterLayout& layout_;
  const ShardMap& shards_;
  const Roles& roles_;
  double timeout_s_;

  std::vector<Clock> clocks_;  // per slice: of the weights that wait() gave last; compute thread

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable arrived_;
  std::exception_ptr error_;
  std::uint64_t last_id_ = 0;
  std::unordered_map<std::uint64_t, Pull> pulls_;
  std::vector<std::deque<std::uint64_t>> asked_;  // per slice: pulls not yet answered, in order
  std::size_t unanswered_ = 0;                    // pulls with missing parts
  double unanswered_since_s_ = 0;
  std::uint64_t arrivals_ = 0;
  ClientTotals totals_;
};

}  // namespace odsgd
