#include "mpi_inbox.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "mpi_check.hpp"

namespace odsgd {
namespace {

/// Envelopes that can arrive between two looks without MPI having to keep copies of them.
constexpr std::size_t kSlots = 32;

}  // namespace

MpiInbox::MpiInbox(int ranks, const MpiLimits& limits, Place place)
    : limits_(limits),
      place_(std::move(place)),
      slots_(kSlots),
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
    open(*slots_[head_].wire, comm, requests);
    post(head_, comm, requests);
  }
}

void MpiInbox::open(const Wire& wire, MPI_Comm comm, MpiRequests& requests) {
  WireHead head{};
  std::memcpy(&head, wire.data(), sizeof head);
  const std::size_t index = free_arrival();
  Arrival& arrival = arrivals_[index];
  order_.push_back(index);
  arrival.message.source = head.source;
  arrival.message.envelope = head.envelope;
  const auto bytes = static_cast<std::size_t>(head.body_bytes);
  if (bytes == 0) return;
  Draft draft = place_(head.source, head.envelope, bytes);
  arrival.message.body = std::move(draft.payload);
  if (bytes <= kInlineBytes) {
    std::memcpy(draft.bytes.data(), wire.data() + sizeof head, bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += limits_.part_bytes) {
    const std::size_t part = std::min(limits_.part_bytes, bytes - at);
    ++arrival.operations;
    ODSGD_MPI(MPI_Irecv(draft.bytes.data() + at, static_cast<int>(part), MPI_BYTE, head.source,
                        kBodyTag, comm, &requests.add(MpiRequests::Kind::kBody, index)));
  }
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
