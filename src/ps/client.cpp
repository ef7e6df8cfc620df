#include "odsgd/ps/client.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/pending.hpp"

namespace odsgd {
namespace {

/// A ticket's id holds the number of its entry, so that it is found at once, and a count, so that
/// no two tickets are alike.
constexpr std::uint64_t kEntryBits = 24;
constexpr std::uint64_t kEntryMask = (std::uint64_t{1} << kEntryBits) - 1;

}  // namespace

Client::Client(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards,
               const Roles& roles, const ExchangeSettings& settings, const Tracer* tracer)
    : endpoint_(endpoint),
      layout_(layout),
      shards_(shards),
      roles_(roles),
      settings_(settings),
      tracer_(tracer),
      pull_label_(label_in(tracer, "pull")),
      store_(std::make_shared<GradientStore>(shards, layout.floats(), settings,
                                             tracer != nullptr ? tracer->timeline : nullptr)),
      clocks_(shards.slices().size()) {}

void Client::push(Key key, Clock step, std::optional<Clock> base_clock,
                  std::optional<Codec> codec) {
  push(key, step, base_clock, codec, Ticket{}, 0);
}

Ticket Client::push_and_pull(Key key, Clock step, std::optional<Clock> base_clock, Clock at_least,
                             std::optional<Codec> codec) {
  const Ticket ticket = open(key, at_least);
  push(key, step, base_clock, codec, ticket, at_least);
  return ticket;
}

void Client::push(Key key, Clock step, std::optional<Clock> base_clock, std::optional<Codec> codec,
                  const Ticket& ticket, Clock at_least) {
  const Codec used = codec.value_or(settings_.push_codec);
  std::uint64_t bytes = 0;
  for (auto i = shards_.first_slice(key); i < shards_.last_slice(key); ++i) {
    Payload body = store_->lend(i, step, used);
    bytes += body.size();
    const Clock base = base_clock.value_or(clocks_[i]);
    if (summation_ != nullptr) {
      // The answer includes the push: its round, as all have rounds here.
      if (ticket) ask(i, ticket, std::max(at_least, step + 1), false);
      summation_->add(i, step, base, std::move(body));
      continue;
    }
    post(i,
         {.kind = MessageKind::kPush,
          .codec = used,
          .slice = i,
          .clock = step,
          .base_clock = base,
          .ticket = ticket.id,
          .at_least = at_least},
         std::move(body));
  }
  const std::lock_guard lock(mutex_);
  bytes_pushed_ += bytes;
}

void Client::wait_until_sent(Key key) {
  store_->wait_until_back(shards_.first_slice(key), shards_.last_slice(key));
  rethrow_failure();
}

Ticket Client::pull(Key key, Clock at_least) { return ask(key, at_least, false); }

Ticket Client::pull_together(Key key, Clock at_least) { return ask(key, at_least, true); }

Ticket Client::ask(Key key, Clock at_least, bool together) {
  const Ticket ticket = open(key, at_least);
  for (auto i = shards_.first_slice(key); i < shards_.last_slice(key); ++i) {
    ask(i, ticket, at_least, together);
  }
  return ticket;
}

void Client::ask(std::uint32_t slice, const Ticket& ticket, Clock at_least, bool together) {
  const Header header{.kind = MessageKind::kPull,
                      .slice = slice,
                      .ticket = ticket.id,
                      .at_least = at_least,
                      .together = together};
  if (own_server_ != nullptr) {
    own_server_->handle({endpoint_.rank(), envelope_of(header), {}});
  } else {
    post(slice, header, {});
  }
}

Ticket Client::open(Key key, Clock at_least) {
  const std::lock_guard lock(mutex_);
  auto entry = std::find_if(pulls_.begin(), pulls_.end(), [](const Pull& p) { return p.id == 0; });
  if (entry == pulls_.end()) entry = pulls_.emplace(entry);
  Pull& pull = *entry;
  pull.id = (++opened_ << kEntryBits) | static_cast<std::uint64_t>(entry - pulls_.begin());
  pull.key = key;
  pull.at_least = at_least;
  pull.into = {};
  pull.missing = shards_.last_slice(key) - shards_.first_slice(key);
  if (pull.parts.size() < pull.missing) pull.parts.resize(pull.missing);
  for (Part& part : pull.parts) part = {};
  if (tracer_ != nullptr) {
    pull.span = {.begin_s = now_s(),
                 .step = tracer_->step,
                 .key = key,
                 .label = pull_label_,
                 .lane = Lane::kPull};
  }
  ++unanswered_;
  store_->times().begin_pull();
  return {pull.id};
}

Client::Pull& Client::find(std::uint64_t id) {
  return const_cast<Pull&>(std::as_const(*this).find(id));
}

const Client::Pull& Client::find(std::uint64_t id) const {
  const std::uint64_t entry = id & kEntryMask;
  ODSGD_REQUIRE(id != 0 && entry < pulls_.size() && pulls_[entry].id == id,
                "pull: ticket {} is not open", id);
  return pulls_[entry];
}

std::span<float> Client::part_of(const Pull& pull, std::uint32_t slice) const {
  const Slice& where = shards_[slice];
  return pull.into.subspan(where.offset - layout_[pull.key].offset, where.count);
}

void Client::post(std::uint32_t slice, const Header& header, Payload body) {
  const Slice& where = shards_[slice];
  endpoint_.post(roles_.server_rank(where.server), envelope_of(header), std::move(body),
                 urgency_of(settings_.priority, where.key));
}

void Client::receive_into(const Ticket& ticket, std::span<float> into) {
  const std::lock_guard lock(mutex_);
  Pull& pull = find(ticket.id);
  const Parameter& parameter = layout_[pull.key];
  ODSGD_REQUIRE(into.size() == parameter.count, "pull of {}: got room for {} floats, want {}",
                parameter.name, into.size(), parameter.count);
  ODSGD_REQUIRE(pull.into.empty() || pull.into.data() == into.data(),
                "pull of {}: is received elsewhere already", parameter.name);
  pull.into = into;
}

bool Client::has_arrived(const Ticket& ticket) const {
  const std::lock_guard lock(mutex_);
  return find(ticket.id).missing == 0;
}

PulledClock Client::wait(Ticket& ticket, std::span<float> into) {
  receive_into(ticket, into);
  std::unique_lock lock(mutex_);
  Pull& pull = find(ticket.id);
  arrived_.wait(lock, [&] { return error_ || pull.missing == 0; });
  if (error_) std::rethrow_exception(error_);
  lock.unlock();  // what is complete, the dispatching thread touches no more
  const PulledClock clock = collect(pull);
  lock.lock();
  pull.id = 0;
  ticket = {};
  return clock;
}

/// Copies what did not land where it was wanted.
PulledClock Client::collect(Pull& pull) {
  const auto first = shards_.first_slice(pull.key);
  const auto last = shards_.last_slice(pull.key);
  PulledClock clock{pull.parts[0].clock, pull.parts[0].clock};
  for (auto i = first; i < last; ++i) {
    Part& part = pull.parts[i - first];
    clocks_[i] = part.clock;
    clock.oldest = std::min(clock.oldest, part.clock);
    clock.newest = std::max(clock.newest, part.clock);
    if (part.body.size() == 0) continue;
    const auto from = floats_of(part.body, shards_[i].count);
    std::memcpy(part_of(pull, i).data(), from.data(), from.size_bytes());
    part.body = {};
  }
  return clock;
}

void Client::stop() {
  for (int server = 0; server < roles_.servers(); ++server) {
    endpoint_.post(roles_.server_rank(server), envelope_of({.kind = MessageKind::kStop}), {},
                   kStopUrgency);
  }
}

std::span<std::byte> Client::landing(const Header& header, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t entry = header.ticket & kEntryMask;
  // What does not fit is received elsewhere, and refused by handle().
  if (error_ || entry >= pulls_.size() || pulls_[entry].id != header.ticket) return {};
  const Pull& pull = pulls_[entry];
  const bool is_its_slice =
      header.slice >= shards_.first_slice(pull.key) && header.slice < shards_.last_slice(pull.key);
  if (!is_its_slice || pull.into.empty() || bytes != shards_[header.slice].count * sizeof(float)) {
    return {};
  }
  return std::as_writable_bytes(part_of(pull, header.slice));
}

void Client::handle(const Message& message) {
  const Header header = header_of(message);
  const std::lock_guard lock(mutex_);
  Pull& pull = find(header.ticket);
  const auto first = shards_.first_slice(pull.key);
  ODSGD_REQUIRE(header.slice >= first && header.slice < shards_.last_slice(pull.key) &&
                    !pull.parts[header.slice - first].has_arrived,
                "weights from rank {}: slice {} was not asked for", message.source, header.slice);
  ODSGD_REQUIRE(header.clock >= pull.at_least,
                "weights of {} from rank {}: got clock {}, want {} or later",
                layout_[pull.key].name, message.source, header.clock, pull.at_least);
  const auto floats = floats_of(message.body, shards_[header.slice].count);
  Part& part = pull.parts[header.slice - first];
  part.has_arrived = true;
  part.clock = header.clock;
  const bool has_landed = !pull.into.empty() && floats.data() == part_of(pull, header.slice).data();
  if (!has_landed) part.body = message.body;
  bytes_pulled_ += message.body.size();
  if (--pull.missing == 0) {
    --unanswered_;
    store_->times().end_pull();
    if (tracer_ != nullptr) {
      pull.span.end_s = now_s();
      tracer_->timeline->add(pull.span);
    }
  }
  arrived_.notify_all();
}

void Client::fail(std::exception_ptr error) {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  arrived_.notify_all();
  store_->give_up();
}

std::size_t Client::unanswered() const {
  const std::lock_guard lock(mutex_);
  return unanswered_;
}

void Client::rethrow_failure() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

ClientTotals Client::totals() const {
  const std::lock_guard lock(mutex_);
  return {bytes_pushed_, bytes_pulled_, store_->times().totals()};
}

std::string Client::pending_from(int server) const {
  PendingList pending;
  const std::lock_guard lock(mutex_);
  for (const Pull& pull : pulls_) {
    if (pull.id == 0) continue;
    const auto first = shards_.first_slice(pull.key);
    for (auto i = first; i < shards_.last_slice(pull.key); ++i) {
      if (shards_[i].server != server || pull.parts[i - first].has_arrived) continue;
      pending.add(fmt::format("pull of {} at clock {}", layout_[pull.key].name, pull.at_least));
    }
  }
  for (std::uint32_t i = 0; i < shards_.slices().size(); ++i) {
    if (shards_[i].server != server || !store_->is_lent(i)) continue;
    pending.add(fmt::format("receiving the push of {}", layout_[shards_[i].key].name));
  }
  return pending.text();
}

}  // namespace odsgd
