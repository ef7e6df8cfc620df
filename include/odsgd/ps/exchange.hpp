#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <span>

#include "odsgd/ps/client.hpp"
#include "odsgd/ps/dispatcher.hpp"
#include "odsgd/ps/server.hpp"

namespace odsgd {

/// One rank's share of the parameter server, by its roles: a server, a client, or both.
///
/// A rank that is only a server calls serve(). A worker calls start(), uses client(), and calls
/// finish(); a progress thread moves its messages meanwhile, and runs its server if it has one.
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

  /// Dispatches a message that was received before this exchange existed. Before start() or
  /// serve().
  void dispatch_early(const Message& message) { dispatcher_.dispatch(message); }

  Client& client() { return *client_; }
  const Server* server() const { return server_ ? &*server_ : nullptr; }

  /// Seconds of processor time that the thread which moves messages has used so far: the progress
  /// thread, or the one that serves.
  double progress_cpu_s() const;

  /// Serves until every worker has said stop and all is sent. Throws Error when no message comes
  /// for the timeout.
  void serve();

  void start();

  /// Says stop to the servers, and returns when nothing is left to do here: all is sent (and read,
  /// where ranks share memory), every pull is answered (also those nobody waits for: a server could
  /// not finish sending otherwise), and this rank's server, if any, has been told stop by every
  /// worker.
  void finish();

  /// Stops the progress thread at once: nothing is written to weights that a pull is received into
  /// from then on. Nothing works after it.
  void abandon() { thread_.reset(); }

 private:
  bool is_idle() const;
  Place landing(int source, const Header& header, std::size_t bytes, bool may_wait);

  Endpoint& endpoint_;
  ExchangeSettings settings_;
  Dispatcher dispatcher_;
  std::optional<Server> server_;
  std::optional<Client> client_;
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
