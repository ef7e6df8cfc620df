#include "odsgd/ps/exchange.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {

Exchange::Exchange(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
                   const Roles& roles, std::span<const float> initial, const ServerHalf& half,
                   const ExchangeSettings& settings, const Tracer* tracer)
    : endpoint_(endpoint),
      roles_(roles),
      settings_(settings),
      dispatcher_(endpoint),
      heartbeats_(endpoint, roles, settings.timeout_s,
                  [this](int rank) { return pending_from(rank); }) {
  dispatcher_.on_any([this](int source) { heartbeats_.heard(source); });
  dispatcher_.on(MessageKind::kHeartbeat, [](const Message&) {});
  if (const auto server = roles.server_of(endpoint.rank())) {
    server_.emplace(endpoint, layout, shards, roles, *server, initial, half, settings, tracer);
    const auto handle = [this](const Message& message) { server_->handle(message); };
    dispatcher_.on(MessageKind::kPush, handle);
    dispatcher_.on(MessageKind::kPull, handle);
    dispatcher_.on(MessageKind::kStop, [this](const Message& message) {
      server_->handle(message);
      heartbeats_.worker_has_stopped(message.source);
      endpoint_.post(message.source, envelope_of({.kind = MessageKind::kStopped}), {},
                     kStopUrgency);
    });
  }
  if (roles.worker_of(endpoint.rank())) {
    client_.emplace(endpoint, layout, shards, roles, settings, tracer);
    dispatcher_.on(MessageKind::kWeights,
                   [this](const Message& message) { client_->handle(message); });
    dispatcher_.on(MessageKind::kStopped, [this](const Message& message) {
      heartbeats_.server_has_stopped(message.source);
    });
  }
  if (roles.is_replicated()) {
    ODSGD_REQUIRE(
        half.takes_rounds && settings.push_codec == Codec::kFloat32 && settings.threshold == 0,
        "exchange without servers: got an algorithm that updates without waiting for "
        "all, or a codec, want rounds of float32");
    summation_.emplace(endpoint, layout, shards);
    client_->go_without_servers(*summation_, *server_);
    dispatcher_.on(MessageKind::kSum, [this](const Message& sum) {
      summation_->split(sum, [this](const Message& push) { server_->handle(push); });
    });
  }
  endpoint.on_landing(
      [this](int source, const Envelope& envelope, std::size_t bytes, bool may_wait) {
        return landing(source, header_of({source, envelope, {}}), bytes, may_wait);
      });
}

Place Exchange::landing(int source, const Header& header, std::size_t bytes, bool may_wait) {
  if (client_ && header.kind == MessageKind::kWeights) {
    return {.memory = client_->landing(header, bytes)};
  }
  if (server_ && header.kind == MessageKind::kPush) {
    return {.is_later = !server_->admits(source, bytes, may_wait)};
  }
  return {};
}

Exchange::~Exchange() {
  thread_.reset();
  endpoint_.on_landing({});
}

std::string Exchange::pending_from(int rank) const {
  if (summation_) return summation_->pending();
  const auto worker = roles_.worker_of(rank);
  const auto server = roles_.server_of(rank);
  std::string text;
  if (client_ && server) text = client_->pending_from(*server);
  if (!server_ || !worker) return text;
  const std::string pushes = server_->pending_from(*worker);
  if (text.empty() || text == "nothing") return pushes;
  return pushes == "nothing" ? text : text + "; " + pushes;
}

void Exchange::look() {
  if (server_) server_->rethrow_failure();
  heartbeats_.look(now_s());
}

/// At the end nobody is waited for any more, so the heartbeats of others say nothing.
void Exchange::require_time_to_send(double begin_s) const {
  ODSGD_REQUIRE(now_s() - begin_s < settings_.timeout_s,
                "end: got {} messages unsent after {} s, want none (--timeout)", endpoint_.unsent(),
                settings_.timeout_s);
}

void Exchange::serve() {
  ODSGD_REQUIRE(server_ && !client_, "serve: rank {} is not a dedicated server", endpoint_.rank());
  constexpr std::chrono::milliseconds kPatience{2};
  const double begin_cpu_s = thread_cpu_s();
  while (!server_->done()) {
    dispatcher_.dispatch(kPatience);
    look();
  }
  const double done_s = now_s();
  while (endpoint_.unsent() > 0) {
    dispatcher_.dispatch(kPatience);
    require_time_to_send(done_s);
  }
  served_cpu_s_ = thread_cpu_s() - begin_cpu_s;
}

double Exchange::progress_cpu_s() const { return thread_ ? thread_->cpu_s() : served_cpu_s_; }

void Exchange::start() {
  ODSGD_REQUIRE(client_ && !thread_, "start: rank {} is not a worker, or has started",
                endpoint_.rank());
  thread_.emplace(
      dispatcher_, [this] { look(); },
      [this](const std::exception_ptr& error) {
        client_->fail(error);
        if (on_error_) on_error_(error);
      });
}

template <class Condition>
void Exchange::wait_until(Condition is_true) const {
  while (!is_true()) {
    client_->rethrow_failure();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Exchange::finish() {
  ODSGD_REQUIRE(thread_, "finish: rank {} has not started", endpoint_.rank());
  wait_until([&] { return client_->unanswered() == 0 && client_->has_sent_all(); });
  heartbeats_.says_stop();
  client_->stop();
  wait_until([&] { return heartbeats_.have_servers_stopped() && (!server_ || server_->done()); });
  const double done_s = now_s();
  wait_until([&] {
    require_time_to_send(done_s);
    return endpoint_.unsent() == 0;
  });
  thread_.reset();
}

}  // namespace odsgd
