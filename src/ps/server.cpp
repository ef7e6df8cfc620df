#include "odsgd/ps/server.hpp"

#include <algorithm>
#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {

Server::Server(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
               const Roles& roles, int server, std::span<const float> initial,
               const MakeServerRule& make_rule)
    : endpoint_(endpoint),
      layout_(layout),
      shards_(shards),
      roles_(roles),
      server_(server),
      weights_(shards.floats_of_server(server)),
      held_(shards.slices().size()),
      held_up_(static_cast<std::size_t>(roles.ranks())) {
  ODSGD_REQUIRE(initial.size() == layout.floats(), "server {}: got {} initial weights, want {}",
                server, initial.size(), layout.floats());
  std::size_t used = 0;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Slice& where = shards.slices()[i];
    if (where.server != server) continue;
    const auto weights = weights_.span().subspan(used, where.count);
    used += where.count;
    std::copy_n(initial.begin() + static_cast<std::ptrdiff_t>(where.offset), where.count,
                weights.begin());
    Held& held = held_[i].emplace();
    held.slice = {where, weights, layout[where.key].decays, 0};
    held.number = static_cast<std::uint32_t>(i);
    held.rule = make_rule(where.count);
  }
}

void Server::handle(const Message& message) {
  const Header& header = header_of(message);
  switch (header.kind) {
    case MessageKind::kPush:
      take_push(find(message), message);
      return;
    case MessageKind::kPull: {
      Held& held = find(message);
      held.waiting.push_back({message.source, header.clock, header.together});
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

void Server::take_push(Held& held, const Message& message) {
  const Header& header = header_of(message);
  const auto worker = roles_.worker_of(message.source);
  ODSGD_REQUIRE(worker.has_value(), "push from rank {}, which is no worker", message.source);
  ODSGD_REQUIRE(header.codec == Codec::kFloat32, "push from worker {}: got codec {}, want float32",
                *worker, static_cast<int>(header.codec));
  ODSGD_REQUIRE(header.base_clock <= held.slice.clock,
                "push of {} from worker {}: it was taken with clock {}, and the slice is at {}",
                layout_[held.slice.where.key].name, *worker, header.base_clock, held.slice.clock);
  ++staleness_[held.slice.clock - header.base_clock];

  const double begin_s = now_s();
  const bool updated = held.rule->on_push(
      held.slice,
      {*worker, header.clock, message.payload, floats_of(message.payload, held.slice.where.count)});
  totals_.update_s += now_s() - begin_s;
  totals_.bytes_received += content_of(message.payload).size();
  if (!updated) return;
  ++held.slice.clock;
  held.reply.reset();
  answer(held);
}

/// Answers the pulls whose time has come. A pull that has to wait holds up later ones of its rank.
void Server::answer(Held& held) {
  const Clock clock = held.slice.clock;
  const auto together =
      std::count_if(held.waiting.begin(), held.waiting.end(),
                    [&](const Waiting& pull) { return pull.together && pull.at_least <= clock; });
  std::fill(held_up_.begin(), held_up_.end(), false);
  std::erase_if(held.waiting, [&](const Waiting& pull) {
    const auto rank = static_cast<std::size_t>(pull.rank);
    const bool is_early = pull.at_least > clock || (pull.together && together < roles_.workers());
    if (is_early || held_up_[rank]) {
      held_up_[rank] = true;
      return false;
    }
    endpoint_.post(pull.rank, reply_of(held));
    totals_.bytes_sent += held.slice.weights.size_bytes();
    return true;
  });
}

Payload Server::reply_of(Held& held) {
  if (!held.reply) {
    const Header header{.kind = MessageKind::kWeights,
                        .codec = Codec::kFloat32,
                        .slice = held.number,
                        .clock = held.slice.clock,
                        .base_clock = 0};
    held.reply = make_message(endpoint_.buffers(), header,
                              std::as_bytes(std::span<const float>(held.slice.weights)));
  }
  return held.reply;
}

Server::Held& Server::find(const Message& message) {
  const Header& header = header_of(message);
  ODSGD_REQUIRE(header.slice < held_.size() && held_[header.slice].has_value(),
                "message from rank {}: server {} does not hold slice {}", message.source, server_,
                header.slice);
  return *held_[header.slice];
}

}  // namespace odsgd
