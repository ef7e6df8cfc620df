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
    : endpoint_(endpoint), settings_(settings), dispatcher_(endpoint) {
  if (const auto server = roles.server_of(endpoint.rank())) {
    server_.emplace(endpoint, layout, shards, roles, *server, initial, half, settings, tracer);
    const auto handle = [this](const Message& message) { server_->handle(message); };
    dispatcher_.on(MessageKind::kPush, handle);
    dispatcher_.on(MessageKind::kPull, handle);
    dispatcher_.on(MessageKind::kStop, handle);
  }
  if (roles.worker_of(endpoint.rank())) {
    client_.emplace(endpoint, layout, shards, roles, settings, tracer);
    dispatcher_.on(MessageKind::kWeights,
                   [this](const Message& message) { client_->handle(message); });
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

bool Exchange::is_idle() const {
  return (!server_ || server_->done()) &&
         (!client_ || (client_->unanswered() == 0 && client_->has_sent_all())) &&
         endpoint_.unsent() == 0;
}

void Exchange::serve() {
  ODSGD_REQUIRE(server_ && !client_, "serve: rank {} is not a dedicated server", endpoint_.rank());
  const double begin_cpu_s = thread_cpu_s();
  double last_message_s = now_s();
  while (!is_idle()) {
    server_->rethrow_failure();
    if (dispatcher_.dispatch(std::chrono::milliseconds(2))) {
      last_message_s = now_s();
      continue;
    }
    ODSGD_REQUIRE(now_s() - last_message_s < settings_.timeout_s,
                  "server: no message from any worker for {} s (--timeout)", settings_.timeout_s);
  }
  served_cpu_s_ = thread_cpu_s() - begin_cpu_s;
}

double Exchange::progress_cpu_s() const { return thread_ ? thread_->cpu_s() : served_cpu_s_; }

void Exchange::start() {
  ODSGD_REQUIRE(client_ && !thread_, "start: rank {} is not a worker, or has started",
                endpoint_.rank());
  thread_.emplace(
      dispatcher_,
      [this] {
        if (server_) server_->rethrow_failure();
      },
      [this](const std::exception_ptr& error) {
        client_->fail(error);
        if (on_error_) on_error_(error);
      });
}

void Exchange::finish() {
  ODSGD_REQUIRE(thread_, "finish: rank {} has not started", endpoint_.rank());
  client_->stop();
  const double begin_s = now_s();
  while (!is_idle()) {
    client_->rethrow_failure();
    ODSGD_REQUIRE(
        now_s() - begin_s < settings_.timeout_s,
        "finish: after {} s got {} pulls unanswered and {} messages unsent{}{}, want none "
        "(--timeout)",
        settings_.timeout_s, client_->unanswered(), endpoint_.unsent(),
        client_->has_sent_all() ? "" : ", pushes that are not yet read",
        server_ && !server_->done() ? ", and other workers that have not ended" : "");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  thread_.reset();
}

}  // namespace odsgd
