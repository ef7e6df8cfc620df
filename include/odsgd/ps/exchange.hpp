#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "odsgd/ps/client.hpp"
#include "odsgd/ps/dispatcher.hpp"
#include "odsgd/ps/heartbeats.hpp"
#include "odsgd/ps/server.hpp"
#include "odsgd/ps/summation.hpp"

namespace odsgd {

/// One rank's share of the parameter server, by its roles: a server, a client, or both. Where each
/// rank has a replica of the weights, pushes are summed over all ranks on their way to its server.
///
/// A rank that is only a server calls serve(). A worker calls start(), uses client(), and calls
/// finish(); a progress thread moves its messages meanwhile, and runs its server if it has one.
///
/// Waits have no time limit of their own. They end when a rank that is dealt with goes silent (see
/// Heartbeats), or anything else goes wrong in the thread that moves messages: all waits, here and
/// in the client, then throw what that was.
class Exchange {
 public:
  /// `initial` holds W^0, all parameters, and is read here only. The references must outlive the
  /// exchange, and so must the tracer, if there is one: see Client and Server.
  Exchange(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
           const Roles& roles, std::span<const float> initial, const ServerHalf& half,
           const ExchangeSettings& settings, const Tracer* tracer = nullptr);
  ~Exchange();

  /// Where notes go; called on the dispatching thread. To be set before start() or serve().
  void on_note(Dispatcher::Handler handler) {
    dispatcher_.on(MessageKind::kNote, std::move(handler));
  }

  /// Called in the dispatching thread of a worker when the exchange breaks, beside Client::fail().
  void on_error(std::function<void(std::exception_ptr)> handler) { on_error_ = std::move(handler); }

  /// Called by the thread that updates, once, when weights of this rank's server are no longer
  /// finite; without it, that is an Error. To be set before start() or serve().
  void on_divergence(std::function<void(const Divergence&)> handler) {
    if (server_) server_->on_divergence(std::move(handler));
  }

  /// Dispatches a message that was received before this exchange existed. Before start() or
  /// serve().
  void dispatch_early(const Message& message) { dispatcher_.dispatch(message); }

  Client& client() { return *client_; }
  const Server* server() const { return server_ ? &*server_ : nullptr; }

  /// Seconds of processor time that the thread which moves messages has used so far: the progress
  /// thread, or the one that serves.
  double progress_cpu_s() const;

  /// Serves until every worker has said stop and all is sent. Throws Error when a worker is silent.
  void serve();

  void start();

  /// Waits until every pull is answered, also those nobody waits for, and every push read; says
  /// stop to the servers; and returns when each has confirmed it, this rank's server, if any, has
  /// been told stop by every worker, and all is sent. So no message is left for a rank that has
  /// gone.
  void finish();

  /// Stops the progress thread at once: nothing is written to weights that a pull is received into
  /// from then on. Nothing works after it.
  void abandon() { thread_.reset(); }

 private:
  std::string pending_from(int rank) const;
  void look();  // what has to be done every few milliseconds by the dispatching thread
  void require_time_to_send(double begin_s) const;
  template <class Condition>
  void wait_until(Condition is_true) const;
  Place landing(int source, const Header& header, std::size_t bytes, bool may_wait);

  Endpoint& endpoint_;
  const Roles& roles_;
  ExchangeSettings settings_;
  Dispatcher dispatcher_;
  Heartbeats heartbeats_;
  std::optional<Server> server_;
  std::optional<Client> client_;
  std::optional<Summation> summation_;  // without servers
  std::function<void(std::exception_ptr)> on_error_;
  double served_cpu_s_ = 0;  // of serve(), once it has ended
  std::optional<ProgressThread> thread_;
};

/// Abandons an exchange when an exception unwinds the scope that it stands in: to be declared after
/// the memory that pulls are received into, which goes away later then.
class AbandonOnError {
 public:
  explicit AbandonOnError(Exchange& exchange)
      : exchange_(exchange), exceptions_(std::uncaught_exceptions()) {}
  ~AbandonOnError() {
    if (std::uncaught_exceptions() > exceptions_) exchange_.abandon();
  }
  AbandonOnError(const AbandonOnError&) = delete;
  AbandonOnError& operator=(const AbandonOnError&) = delete;

 private:
  Exchange& exchange_;
  int exceptions_;
};

}  // namespace odsgd
