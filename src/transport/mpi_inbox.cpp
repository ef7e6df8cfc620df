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

MpiInbox::MpiInbox(std::span<const MpiWindow> windows, std::size_t part_bytes, Landing landing)
    : part_bytes_(part_bytes), landing_(std::move(landing)), slots_(kSlots) {
  for (const MpiWindow& window : windows) sources_.emplace_back().most_bytes = window.received;
}

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
    open(slots_[head_]);
    post(head_, comm, requests);
  }
}

void MpiInbox::envelope_ended(const MpiRequests::Done& done) {
  ODSGD_REQUIRE(done.status == MPI_SUCCESS, "message: receiving its head failed: {}",
                mpi_error_text(done.status));
  slots_[done.index].has_arrived = true;
  slots_[done.index].bytes = done.bytes;
}

void MpiInbox::open(const Slot& slot) {
  WireHead head{};
  ODSGD_REQUIRE(slot.bytes >= sizeof head, "message: got {} bytes, want at least {}", slot.bytes,
                sizeof head);
  std::memcpy(&head, slot.wire->data(), sizeof head);
  const std::size_t index = free_arrival();
  Arrival& arrival = arrivals_[index];
  Source& source = sources_[static_cast<std::size_t>(head.source)];
  source.arrivals.push_back(index);
  ++waiting_;
  arrival.message.source = head.source;
  arrival.message.envelope = head.envelope;
  arrival.bytes = static_cast<std::size_t>(head.body_bytes);
  arrival.urgency = head.urgency;
  arrival.tag = head.tag;
  arrival.is_announced = arrival.bytes > kInlineBytes;
  const std::size_t behind = arrival.is_announced ? 0 : arrival.bytes;
  ODSGD_REQUIRE(slot.bytes == sizeof head + behind,
                "message from rank {}: got {} bytes behind its head, want {}", head.source,
                slot.bytes - sizeof head, behind);
  if (arrival.is_announced) {
    check_tag(source, arrival);
    ++source.announced;
    ++announced_;
  } else if (arrival.bytes > 0) {
    Draft draft = *landing_(head.source, head.envelope, arrival.bytes, false);
    arrival.message.body = std::move(draft.payload);
    std::memcpy(draft.bytes.data(), slot.wire->data() + sizeof head, arrival.bytes);
  }
}

/// A sender goes through all tags in turn; MPI could swap two bodies of one tag.
void MpiInbox::check_tag(const Source& source, const Arrival& announced) const {
  for (const std::size_t index : source.arrivals) {
    const Arrival& other = arrivals_[index];
    ODSGD_REQUIRE(&other == &announced || !other.is_announced || other.tag != announced.tag,
                  "messages from rank {}: got {} since one that is still to be received, want "
                  "fewer than {}",
                  announced.message.source, kBodyTags, kBodyTags);
  }
}

void MpiInbox::receive_bodies(MPI_Comm comm, MpiRequests& requests) {
  if (announced_ == 0) return;
  for (Source& source : sources_) receive_from(source, comm, requests);
}

void MpiInbox::receive_from(Source& source, MPI_Comm comm, MpiRequests& requests) {
  if (source.announced == 0) return;
  for (const std::size_t index : source.arrivals) arrivals_[index].is_put_off = false;
  while (const auto next = next_body(source)) {
    if (!receive_body(*next, comm, requests)) {
      arrivals_[*next].is_put_off = true;
      continue;
    }
    --source.announced;
    --announced_;
    source.bytes_under_way += arrivals_[*next].bytes;
  }
}

/// The most urgent body of the announced ones that are not put off, unless enough is under way.
std::optional<std::size_t> MpiInbox::next_body(const Source& source) const {
  std::optional<std::size_t> next;
  for (const std::size_t index : source.arrivals) {
    const Arrival& arrival = arrivals_[index];
    if (!arrival.is_announced || arrival.is_put_off) continue;
    if (!next || arrival.urgency < arrivals_[*next].urgency) next = index;
  }
  if (!next) return std::nullopt;
  const bool fits = source.bytes_under_way == 0 ||
                    source.bytes_under_way + arrivals_[*next].bytes <= source.most_bytes;
  return fits ? next : std::nullopt;
}

bool MpiInbox::receive_body(std::size_t index, MPI_Comm comm, MpiRequests& requests) {
  Arrival& arrival = arrivals_[index];
  const bool may_wait = now_s() - moved_s_ < kLongestSilence_s;
  auto draft = landing_(arrival.message.source, arrival.message.envelope, arrival.bytes, may_wait);
  if (!draft) return false;
  moved_s_ = now_s();
  arrival.message.body = std::move(draft->payload);
  arrival.is_announced = false;
  arrival.received = 0;
  for (std::size_t at = 0; at < arrival.bytes; at += part_bytes_) {
    const std::size_t part = std::min(part_bytes_, arrival.bytes - at);
    ++arrival.operations;
    ODSGD_MPI(MPI_Irecv(draft->bytes.data() + at, static_cast<int>(part), MPI_BYTE,
                        arrival.message.source, arrival.tag, comm,
                        &requests.add(MpiRequests::Kind::kBody, index)));
  }
  return true;
}

void MpiInbox::body_ended(const MpiRequests::Done& done) {
  Arrival& arrival = arrivals_[done.index];
  const int source = arrival.message.source;
  ODSGD_REQUIRE(done.status == MPI_SUCCESS, "message from rank {}: receiving {} bytes failed: {}",
                source, arrival.bytes, mpi_error_text(done.status));
  moved_s_ = now_s();
  arrival.received += done.bytes;
  if (--arrival.operations > 0) return;
  ODSGD_REQUIRE(arrival.received == arrival.bytes, "message from rank {}: got {} bytes, want {}",
                source, arrival.received, arrival.bytes);
  sources_[static_cast<std::size_t>(source)].bytes_under_way -= arrival.bytes;
}

std::optional<Message> MpiInbox::take_complete() {
  if (waiting_ == 0) return std::nullopt;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    Source& source = sources_[(turn_ + i) % sources_.size()];
    const auto place = first_complete(source);
    if (!place) continue;
    const std::size_t index = source.arrivals[*place];
    source.arrivals.erase(source.arrivals.begin() + static_cast<std::ptrdiff_t>(*place));
    --waiting_;
    free_.push_back(index);
    turn_ = (turn_ + i + 1) % sources_.size();
    return std::exchange(arrivals_[index].message, {});
  }
  return std::nullopt;
}

/// The place among the source's arrivals.
std::optional<std::size_t> MpiInbox::first_complete(const Source& source) const {
  std::optional<int> incomplete;  // the lowest urgency of those passed
  for (std::size_t i = 0; i < source.arrivals.size(); ++i) {
    const Arrival& arrival = arrivals_[source.arrivals[i]];
    const bool overtakes = incomplete && *incomplete <= arrival.urgency;
    if (arrival.is_complete() && !overtakes) return i;
    if (!arrival.is_complete())
      incomplete = std::min(incomplete.value_or(INT32_MAX), arrival.urgency);
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
