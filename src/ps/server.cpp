#include "odsgd/ps/server.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/ps/pending.hpp"

namespace odsgd {
namespace {

/// By how many bytes one worker's pushes may be ahead of another's without waiting.
constexpr std::uint64_t kLead = std::uint64_t{4} << 20;

}  // namespace

Server::Server(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
               const Roles& roles, int server, std::span<const float> initial,
               const ServerHalf& half, const ExchangeSettings& settings, const Tracer* tracer)
    : endpoint_(endpoint),
      layout_(layout),
      roles_(roles),
      server_(server),
      takes_rounds_(half.takes_rounds),
      keeps_bases_(half.keeps_bases),
      settings_(settings),
      timeline_(tracer != nullptr ? tracer->timeline : nullptr),
      update_label_(label_in(tracer, "server update")),
      held_(shards.slices().size()),
      admitted_(static_cast<std::size_t>(roles.workers())) {
  ODSGD_REQUIRE(initial.size() == layout.floats(), "server {}: got {} initial weights, want {}",
                server, initial.size(), layout.floats());
  const auto clients = static_cast<std::size_t>(roles.clients());
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Slice& where = shards.slices()[i];
    if (where.server != roles.shard_of_server(server)) continue;
    held_[i] = std::make_unique<Held>(half, roles.clients());
    Held& held = *held_[i];
    held.number = static_cast<std::uint32_t>(i);
    held.rule = half.make_rule(where.count);
    held.weights = endpoint.buffers().take(where.count * sizeof(float));
    std::memcpy(held.weights.bytes.data(), initial.data() + where.offset,
                held.weights.bytes.size());
    held.slice = {where, floats_in(held.weights), layout[where.key].decays, 0};
    held.waiting.reserve(2 * clients);  // as od-sgd asks
    if (keeps_bases_) held.sent.resize(clients);
  }
  if (settings.server_threads > 1) {
    crew_.emplace(settings.server_threads,
                  [this](std::uint32_t slice) { update_while_due(*held_[slice]); });
  }
}

void Server::handle(const Message& message) {
  const Header header = header_of(message);
  switch (header.kind) {
    case MessageKind::kPush:
      take_push(find(message, header), message);
      return;
    case MessageKind::kPull: {
      ODSGD_REQUIRE(roles_.worker_of(message.source), "pull from rank {}, which is no worker",
                    message.source);
      Held& held = find(message, header);
      const std::lock_guard lock(held.mutex);
      held.waiting.push_back({message.source, header.ticket, header.at_least, 0, header.together});
      answer(held);
      return;
    }
    case MessageKind::kStop:
      stopped_.fetch_add(1, std::memory_order_acq_rel);
      return;
    default:
      fail("server {}: got a message of kind {} from rank {}, want a push, pull or stop", server_,
           static_cast<int>(header.kind), message.source);
  }
}

bool Server::admits(int source, std::size_t bytes, bool may_wait) {
  const auto worker = roles_.worker_of(source);
  if (!worker) return true;  // handle() refuses it
  std::uint64_t& admitted = admitted_[static_cast<std::size_t>(*worker)];
  const std::uint64_t slowest = *std::min_element(admitted_.begin(), admitted_.end());
  if (takes_rounds_ && may_wait && admitted > slowest + kLead) return false;
  admitted += bytes;
  return true;
}

void Server::rethrow_failure() {
  if (crew_) crew_->rethrow_failure();
}

void Server::take_push(Held& held, const Message& message) {
  const Header header = header_of(message);
  const auto worker = roles_.worker_of(message.source);
  ODSGD_REQUIRE(worker.has_value(), "push from rank {}, which is no worker", message.source);
  ODSGD_REQUIRE(header.codec <= kLastCodec,
                "push from worker {}: got codec {}, which this program does not know", *worker,
                static_cast<int>(header.codec));
  const std::size_t wanted = encoded_bytes(header.codec, held.slice.where.count);
  ODSGD_REQUIRE(message.body.size() == wanted, "push of {} from worker {}: got {} bytes, want {}",
                layout_[held.slice.where.key].name, *worker, message.body.size(), wanted);
  {
    const std::lock_guard lock(held.mutex);
    gather(held, *worker, header, message);
    if (header.ticket != 0) {
      held.waiting.push_back(
          {message.source, header.ticket, header.at_least, header.clock + 1, false});
    }
    if (held.is_updating || !held.pushes.is_due(held.slice.clock)) {
      answer(held);
      return;
    }
    held.is_updating = true;
  }
  if (crew_) {
    crew_->add(held.number);
  } else {
    update_while_due(held);
  }
}

void Server::gather(Held& held, int worker, const Header& header, const Message& message) {
  const Clock clock = held.slice.clock;
  const std::string& key = layout_[held.slice.where.key].name;
  ODSGD_REQUIRE(header.base_clock <= clock,
                "push of {} from worker {}: it was taken with clock {}, and the slice is at {}",
                key, worker, header.base_clock, clock);
  Push push{.worker = roles_.client_of(worker),
            .workers = roles_.workers() / roles_.clients(),
            .step = header.clock,
            .base_clock = header.base_clock,
            .codec = header.codec,
            .body = message.body};
  if (keeps_bases_) {
    const Sent& sent = held.sent[static_cast<std::size_t>(worker)];
    ODSGD_REQUIRE(sent.weights.size() > 0 && sent.clock == push.base_clock,
                  "push of {} from worker {}: it was taken with clock {}, want {}, sent last", key,
                  worker, push.base_clock, sent.clock);
    push.base = sent.weights;
  }
  try {
    held.pushes.add(std::move(push), clock);
  } catch (const Error& error) {
    fail("push of {} from worker {}: {}", key, worker, error.what());
  }
}

/// Tells of the first divergence; of none after it, since it spreads.
void Server::require_finite(const Held& held, std::span<const Push> pushes,
                            std::span<const float> updated) {
  const auto found = find_divergence(held.slice.where.key, pushes, updated);
  if (!found || has_diverged_.exchange(true)) return;
  if (on_divergence_) {
    on_divergence_(*found);
    return;
  }
  const std::string& key = layout_[found->key].name;
  const std::string what = found->worker < 0
                               ? "weights of " + key
                               : fmt::format("gradient of {} from worker {}", key, found->worker);
  fail("step {}: {}: got {}, want finite numbers", found->step + 1, what, found->value);
}

/// Lets go of the pushes that were applied, and counts how late they came.
void Server::let_go(Held& held) {
  const Clock clock = held.slice.clock;
  const std::lock_guard lock(totals_mutex_);
  held.pushes.let_go(clock, [&](const Push& push) {
    ++staleness_[clock - push.base_clock];
    totals_.bytes_received += push.body.size();
  });
}

/// Updates the slice as long as there are pushes for it; the caller has set is_updating.
void Server::update_while_due(Held& held) {
  std::unique_lock lock(held.mutex);
  while (held.pushes.is_due(held.slice.clock)) {
    const std::span<const Push> pushes = held.pushes.due(held.slice.clock);
    held.is_in_place = held.weights.payload.is_unshared();
    Draft updated =
        held.is_in_place ? held.weights : endpoint_.buffers().take(held.weights.bytes.size());
    lock.unlock();
    const double begin_s = now_s();
    held.rule->update(held.slice, pushes, floats_in(updated));
    const double end_s = now_s();
    if (timeline_) {
      timeline_->add({.begin_s = begin_s,
                      .end_s = end_s,
                      .step = pushes.front().step,
                      .key = held.slice.where.key,
                      .label = update_label_,
                      .lane = Lane::kServer});
    }
    require_finite(held, pushes, floats_in(updated));
    lock.lock();
    let_go(held);
    held.weights = std::move(updated);
    held.slice.weights = floats_in(held.weights);
    ++held.slice.clock;
    held.is_in_place = false;
    {
      const std::lock_guard totals_lock(totals_mutex_);
      totals_.update_s += end_s - begin_s;
    }
    answer(held);
  }
  held.is_updating = false;
}

bool Server::is_answerable(const Held& held, const Waiting& pull, Clock steps) const {
  if (pull.at_least > steps) return false;
  return held.pushes.includes(*roles_.worker_of(pull.rank), pull.own, held.slice.clock);
}

/// Answers the pulls whose time has come.
void Server::answer(Held& held) {
  if (held.is_in_place || held.waiting.empty()) return;
  const Clock steps = held.pushes.steps_of_all(held.slice.clock);
  const auto together =
      std::count_if(held.waiting.begin(), held.waiting.end(),
                    [&](const Waiting& pull) { return pull.together && pull.at_least <= steps; });
  std::uint64_t bytes_sent = 0;
  std::erase_if(held.waiting, [&](const Waiting& pull) {
    if (!is_answerable(held, pull, steps)) return false;
    if (pull.together && together < roles_.clients()) return false;
    endpoint_.post(pull.rank,
                   envelope_of({.kind = MessageKind::kWeights,
                                .slice = held.number,
                                .clock = held.slice.clock,
                                .ticket = pull.ticket,
                                .at_least = pull.at_least}),
                   held.weights.payload, urgency_of(settings_.priority, held.slice.where.key));
    if (keeps_bases_) {
      held.sent[static_cast<std::size_t>(*roles_.worker_of(pull.rank))] = {held.slice.clock,
                                                                           held.weights.payload};
    }
    bytes_sent += held.weights.bytes.size();
    return true;
  });
  const std::lock_guard lock(totals_mutex_);
  totals_.bytes_sent += bytes_sent;
}

std::string Server::pending_from(int worker) const {
  PendingList pending;
  const int rank = roles_.worker_rank(worker);
  for (const auto& held : held_) {
    if (!held) continue;
    const std::string& key = layout_[held->slice.where.key].name;
    const std::lock_guard lock(held->mutex);
    if (held->pushes.is_waiting_for(worker, held->slice.clock)) {
      pending.add(fmt::format("push of {} at step {}", key, held->slice.clock));
    }
    const auto asks = [&](const Waiting& pull) { return pull.together && pull.rank == rank; };
    const auto others = [&](const Waiting& pull) { return pull.together && pull.rank != rank; };
    const auto& waiting = held->waiting;
    if (std::any_of(waiting.begin(), waiting.end(), others) &&
        std::none_of(waiting.begin(), waiting.end(), asks)) {
      pending.add(fmt::format("pull of {}, together with all", key));
    }
  }
  return pending.text();
}

StalenessCounts Server::staleness() const {
  const std::lock_guard lock(totals_mutex_);
  return staleness_;
}

ServerTotals Server::totals() const {
  const std::lock_guard lock(totals_mutex_);
  return totals_;
}

Server::Held& Server::find(const Message& message, const Header& header) {
  ODSGD_REQUIRE(header.slice < held_.size() && held_[header.slice],
                "message from rank {}: server {} does not hold slice {}", message.source, server_,
                header.slice);
  return *held_[header.slice];
}

}  // namespace odsgd
