#include "mpi_outbox.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "mpi_check.hpp"

namespace odsgd {

MpiOutbox::MpiOutbox(int rank, std::span<const MpiWindow> windows, std::size_t part_bytes)
    : rank_(rank), part_bytes_(part_bytes) {
  for (const MpiWindow& window : windows) ways_.emplace_back().most_bytes = window.announced;
}

void MpiOutbox::queue(int destination, const Envelope& envelope, Payload body, int urgency) {
  unsent_.fetch_add(1, std::memory_order_acq_rel);
  const std::lock_guard lock(mutex_);
  auto& waiting = ways_[static_cast<std::size_t>(destination)].waiting;
  waiting.push_back({urgency, posted_++, envelope, std::move(body)});
  std::push_heap(waiting.begin(), waiting.end(), Later{});
  queued_.fetch_add(1, std::memory_order_acq_rel);
  has_news_.store(true, std::memory_order_release);
}

/// Takes the most urgent message of a way, unless there is none or the window is full.
bool MpiOutbox::take_next(Way& way, Queued& next) {
  const std::lock_guard lock(mutex_);
  auto& waiting = way.waiting;
  if (waiting.empty()) return false;
  const std::size_t bytes = waiting.front().body.size();
  const bool fits = way.bytes_under_way == 0 || way.bytes_under_way + bytes <= way.most_bytes ||
                    bytes <= kInlineBytes;
  if (!fits) return false;
  std::pop_heap(waiting.begin(), waiting.end(), Later{});
  next = std::move(waiting.back());
  waiting.pop_back();
  queued_.fetch_sub(1, std::memory_order_acq_rel);
  return true;
}

bool MpiOutbox::start(MPI_Comm comm, MpiRequests& requests) {
  has_news_.store(false, std::memory_order_release);
  if (queued_.load(std::memory_order_acquire) == 0) return false;
  bool has_started = false;
  // One from each way in turn, so that no rank waits for all that another one is sent.
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t rank = 0; rank < ways_.size(); ++rank) {
      Queued next;
      if (!take_next(ways_[rank], next)) continue;
      start(static_cast<int>(rank), std::move(next), comm, requests);
      has_started = goes_on = true;
    }
  }
  return has_started;
}

void MpiOutbox::start(int destination, Queued message, MPI_Comm comm, MpiRequests& requests) {
  const std::size_t index = free_send();
  Send& send = *sends_[index];
  send.destination = destination;
  send.body = std::move(message.body);
  send.operations = 1;
  const std::span<const std::byte> body = send.body.bytes();
  Way& way = ways_[static_cast<std::size_t>(destination)];
  const int tag = kFirstBodyTag + way.bodies;
  const WireHead head{message.envelope, body.size(), rank_, message.urgency, tag};
  std::memcpy(send.wire.data(), &head, sizeof head);
  const bool is_inline = body.size() <= kInlineBytes;
  const std::size_t behind = is_inline ? body.size() : 0;
  if (behind > 0) std::memcpy(send.wire.data() + sizeof head, body.data(), behind);
  ODSGD_MPI(MPI_Isend(send.wire.data(), static_cast<int>(sizeof head + behind), MPI_BYTE,
                      destination, kEnvelopeTag, comm,
                      &requests.add(MpiRequests::Kind::kSend, index)));
  if (is_inline) {
    send.body = {};
    return;
  }
  way.bodies = (way.bodies + 1) % kBodyTags;
  way.bytes_under_way += body.size();
  for (std::size_t at = 0; at < body.size(); at += part_bytes_) {
    const std::size_t bytes = std::min(part_bytes_, body.size() - at);
    ++send.operations;
    ODSGD_MPI(MPI_Isend(body.data() + at, static_cast<int>(bytes), MPI_BYTE, destination, tag, comm,
                        &requests.add(MpiRequests::Kind::kSend, index)));
  }
}

void MpiOutbox::ended(const MpiRequests::Done& done) {
  const std::size_t index = done.index;
  Send& send = *sends_[index];
  ODSGD_REQUIRE(done.status == MPI_SUCCESS, "message to rank {}: sending {} bytes failed: {}",
                send.destination, send.body.size(), mpi_error_text(done.status));
  if (--send.operations > 0) return;
  ways_[static_cast<std::size_t>(send.destination)].bytes_under_way -= send.body.size();
  send.body = {};
  free_.push_back(index);
  unsent_.fetch_sub(1, std::memory_order_acq_rel);
}

std::size_t MpiOutbox::free_send() {
  if (free_.empty()) {
    sends_.push_back(std::make_unique<Send>());
    return sends_.size() - 1;
  }
  const std::size_t index = free_.back();
  free_.pop_back();
  return index;
}

}  // namespace odsgd
