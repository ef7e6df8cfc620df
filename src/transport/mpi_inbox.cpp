#include "mpi_inbox.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "mpi_check.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {
namespace {

/// Envelopes that can arrive between two looks without MPI having to keep copies of them.
constexpr std::size_t kSlots = 32;

/// A body is put off only as long as others arrive, and this much longer: enough for a rank that
/// has lost its core to come back, and little beside the time that a slow way takes for a body.
constexpr double kLongestSilence_s = 500e-6;

}  // namespace

MpiInbox::MpiInbox(int ranks, const MpiLimits& limits, Place place)
    : limits_(limits),
      place_(std::move(place)),
      slots_(kSlots),
      bodies_(static_cast<std::size_t>(ranks)),
      blocked_(static_cast<std::size_t>(ranks)) {}

void MpiInbox::start(MPI_Comm comm, MpiRequests& requests) {
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) post(slot, comm, requests);
}

void MpiInbox::post(std::size_t slot, MPI_Comm comm, MpiRequests& requests) {
  slots_[slot].has_arrived = false;
  ODSGD_MPI(MPI_Irecv(slots_[slot].wire->data(), static_cast<int>(kWireBytes), MPI_BYTE,
                      MPI_ANY_SOURCE, kEnvelopeTag, comm,
                      &requests.add(MpiRequests::Kind::kEnvelope, slot)));
}

void MpiInbox::open_envelopes(MPI_Comm comm, MpiRequests& requests) {
  for (; slots_[head_].has_arrived; head_ = (head_ + 1) % slots_.size()) {
    open(*slots_[head_].wire);
    post(head_, comm, requests);
  }
}

void MpiInbox::open(const Wire& wire) {
  WireHead head{};
  std::memcpy(&head, wire.data(), sizeof head);
  const std::size_t index = free_arrival();
  Arrival& arrival = arrivals_[index];
  order_.push_back(index);
  arrival.message.source = head.source;
  arrival.message.envelope = head.envelope;
  const auto bytes = static_cast<std::size_t>(head.body_bytes);
  if (bytes == 0) return;
  if (bytes <= kInlineBytes) {
    Draft draft = *place_(head.source, head.envelope, bytes, false);
    arrival.message.body = std::move(draft.payload);
    std::memcpy(draft.bytes.data(), wire.data() + sizeof head, bytes);
    return;
  }
  arrival.operations = 1;
  bodies_[static_cast<std::size_t>(head.source)].push({index, bytes});
  ++put_off_;
}

void MpiInbox::body_ended(std::size_t arrival) {
  --arrivals_[arrival].operations;
  moved_s_ = now_s();
}

void MpiInbox::receive_bodies(MPI_Comm comm, MpiRequests& requests) {
  if (put_off_ == 0) return;
  for (std::size_t source = 0; source < bodies_.size(); ++source) {
    auto& bodies = bodies_[source];
    while (!bodies.empty() &&
           receive_body(static_cast<int>(source), bodies.front(), comm, requests)) {
      bodies.pop();
      --put_off_;
    }
  }
}

bool MpiInbox::receive_body(int source, const Body& body, MPI_Comm comm, MpiRequests& requests) {
  Arrival& arrival = arrivals_[body.arrival];
  const bool may_wait = now_s() - moved_s_ < kLongestSilence_s;
  std::optional<Draft> draft = place_(source, arrival.message.envelope, body.bytes, may_wait);
  if (!draft) return false;
  moved_s_ = now_s();
  arrival.message.body = std::move(draft->payload);
  arrival.operations = 0;
  for (std::size_t at = 0; at < body.bytes; at += limits_.part_bytes) {
    const std::size_t part = std::min(limits_.part_bytes, body.bytes - at);
    ++arrival.operations;
    ODSGD_MPI(MPI_Irecv(draft->bytes.data() + at, static_cast<int>(part), MPI_BYTE, source,
                        kBodyTag, comm, &requests.add(MpiRequests::Kind::kBody, body.arrival)));
  }
  return true;
}

std::optional<Message> MpiInbox::take_complete() {
  if (order_.empty()) return std::nullopt;
  std::fill(blocked_.begin(), blocked_.end(), false);
  for (auto at = order_.begin(); at != order_.end(); ++at) {
    Arrival& arrival = arrivals_[*at];
    const auto source = static_cast<std::size_t>(arrival.message.source);
    if (blocked_[source]) continue;
    if (arrival.operations > 0) {
      blocked_[source] = true;
      continue;
    }
    std::optional<Message> message(std::exchange(arrival.message, {}));
    free_.push_back(*at);
    order_.erase(at);
    return message;
  }
  return std::nullopt;
}

std::size_t MpiInbox::free_arrival() {
  if (free_.empty()) {
    arrivals_.emplace_back();
    return arrivals_.size() - 1;
  }
  const std::size_t index = free_.back();
  free_.pop_back();
  return index;
}

}  // namespace odsgd
