#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/ps/gradient_store.hpp"
#include "odsgd/ps/protocol.hpp"
#include "odsgd/ps/roles.hpp"
#include "odsgd/ps/server.hpp"
#include "odsgd/ps/settings.hpp"
#include "odsgd/ps/shard_map.hpp"
#include "odsgd/ps/summation.hpp"

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
  std::uint64_t bytes_pushed = 0;  ///< as the codec writes them, without envelopes
  std::uint64_t bytes_pulled = 0;
  FlightTimes::Totals in_flight;
};

/// The worker's side of the parameter server: pushes gradients, pulls weights.
///
/// A push or pull of a key becomes one message per slice. Nothing is copied that need not be: a
/// push is sent from gradient() itself, and a pull's answer is received where receive_into() says.
/// Threads: push, pull and the waits belong to the compute thread; landing(), handle() and fail()
/// to the one that dispatches.
class Client {
 public:
  /// All references must outlive the client. With a tracer each slice's push is a span, from here
  /// until it has been sent or read, and so is each key's pull, until all of its answer is there.
  Client(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
         const Roles& roles, const ExchangeSettings& settings, const Tracer* tracer = nullptr);

  /// From now on what is pushed goes into sums over all workers, and this rank's own server is
  /// asked for weights, without a message: so it knows of a pull before any later push is summed.
  void go_without_servers(Summation& summation, Server& own) {
    summation_ = &summation;
    own_server_ = &own;
  }

  /// Where the gradient of all parameters is to be written; a key's only after wait_until_sent().
  std::span<float> gradient() { return store_->floats(); }

  /// Sends the key's gradient of `step`, taken with weights of clock `base_clock`; without one,
  /// with those that wait() gave last, slice by slice. It is written as the settings' push_codec
  /// does, or as `codec`: see GradientStore::lend().
  void push(Key key, Clock step, std::optional<Clock> base_clock,
            std::optional<Codec> codec = std::nullopt);

  /// Waits until the key's gradient may be written again. Throws what broke the exchange.
  void wait_until_sent(Key key);

  /// Asks for the key's weights once the pushes of `at_least` steps have been applied, of every
  /// worker: of a synchronous rule those of a clock of at least so much; 0: the newest.
  Ticket pull(Key key, Clock at_least);

  /// push() and pull() in one message a slice; the answer includes the push, if nothing else.
  Ticket push_and_pull(Key key, Clock step, std::optional<Clock> base_clock, Clock at_least,
                       std::optional<Codec> codec = std::nullopt);

  /// As pull(), but answered only when every worker asks so. No worker can have gone on by then:
  /// when each has pushed all its steps so far, all get the weights of one and the same clock.
  Ticket pull_together(Key key, Clock at_least);

  /// From now on the answer may be written to `into` (the key's floats) as it arrives, until wait()
  /// returns. Before it is called, what arrives is kept elsewhere and copied by wait().
  void receive_into(const Ticket& ticket, std::span<float> into);

  /// Whether the whole answer is there: then wait() does not block.
  bool has_arrived(const Ticket& ticket) const;

  /// Waits until the pull's answer is in `into`, and clears the ticket. Throws what broke the
  /// exchange.
  PulledClock wait(Ticket& ticket, std::span<float> into);

  /// Tells all servers that no more will come from this worker.
  void stop();

  /// Where the body of a weights message is wanted, if anywhere yet.
  std::span<std::byte> landing(const Header& header, std::size_t bytes);

  void handle(const Message& message);  ///< a weights message
  void fail(std::exception_ptr error);  ///< wakes a waiting compute thread with this exception

  std::size_t unanswered() const;  ///< pulls that wait for an answer
  bool has_sent_all() const { return store_->is_all_back(); }

  void rethrow_failure() const;  ///< throws what fail() was given, if it was

  /// What has not come from this server, or has not gone there. Threads: any.
  std::string pending_from(int server) const;

  ClientTotals totals() const;

 private:
  /// The answer for one slice of a pull.
  struct Part {
    bool has_arrived = false;
    Clock clock = 0;
    Payload body;  // when it did not land where it was wanted
  };
  struct Pull {
    std::uint64_t id = 0;  // 0: this entry is free
    Key key = 0;
    Clock at_least = 0;
    std::span<float> into;
    std::vector<Part> parts;  // by slice of the key; never shorter than once needed
    std::size_t missing = 0;
    Timeline::Span span;  // with a tracer
  };

  Ticket open(Key key, Clock at_least);
  Pull& find(std::uint64_t id);
  const Pull& find(std::uint64_t id) const;
  std::span<float> part_of(const Pull& pull, std::uint32_t slice) const;
  void post(std::uint32_t slice, const Header& header, Payload body);
  void ask(std::uint32_t slice, const Ticket& ticket, Clock at_least, bool together);
  Ticket ask(Key key, Clock at_least, bool together);
  void push(Key key, Clock step, std::optional<Clock> base_clock, std::optional<Codec> codec,
            const Ticket& ticket, Clock at_least);
  PulledClock collect(Pull& pull);

  Endpoint& endpoint_;
  const ParameterLayout& layout_;
  const ShardMap& shards_;
  const Roles& roles_;
  ExchangeSettings settings_;
  Summation* summation_ = nullptr;
  Server* own_server_ = nullptr;
  const Tracer* tracer_;
  Timeline::Label pull_label_;
  std::shared_ptr<GradientStore> store_;

  std::vector<Clock> clocks_;  // per slice: of the weights that wait() gave last; compute thread

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable arrived_;
  std::exception_ptr error_;
  std::vector<Pull> pulls_;  // a ticket's id leads to its entry
  std::uint64_t opened_ = 0;
  std::size_t unanswered_ = 0;  // pulls with missing parts
  std::uint64_t bytes_pushed_ = 0;
  std::uint64_t bytes_pulled_ = 0;
};

}  // namespace odsgd
