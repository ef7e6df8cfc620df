#include "odsgd/bench/meeting.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "odsgd/base/host.hpp"

namespace odsgd {

void Meeting::share_bytes(std::span<std::byte> bytes) {
  if (!leads()) {
    const Message message = receive(leader_);
    ODSGD_REQUIRE(message.body.size() == bytes.size(), "meeting: got {} bytes, want {}",
                  message.body.size(), bytes.size());
    if (!bytes.empty()) std::memcpy(bytes.data(), message.body.bytes().data(), bytes.size());
    return;
  }
  for (int rank = 0; rank < endpoint_.size(); ++rank) {
    if (rank != leader_) post(rank, bytes);
  }
  flush();
}

std::vector<std::vector<std::byte>> Meeting::gather_bytes(std::span<const std::byte> mine) {
  if (!leads()) {
    post(leader_, mine);
    flush();
    return {};
  }
  std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(endpoint_.size()));
  all[static_cast<std::size_t>(leader_)].assign(mine.begin(), mine.end());
  for (int rank = 0; rank < endpoint_.size(); ++rank) {
    if (rank == leader_) continue;
    const Message message = receive(rank);
    const auto bytes = message.body.bytes();
    all[static_cast<std::size_t>(rank)].assign(bytes.begin(), bytes.end());
  }
  return all;
}

void Meeting::post(int rank, std::span<const std::byte> bytes) {
  const Draft draft = endpoint_.buffers().take(bytes.size());
  if (!bytes.empty()) std::memcpy(draft.bytes.data(), bytes.data(), bytes.size());
  endpoint_.post(rank, {}, draft.payload);
}

/// The next message of a rank; what others say meanwhile is kept for when it is wanted.
Message Meeting::receive(int source) {
  const double end_s = now_s() + timeout_s_;
  for (;;) {
    const auto kept = std::find_if(kept_.begin(), kept_.end(),
                                   [&](const Message& m) { return m.source == source; });
    if (kept != kept_.end()) {
      Message message = std::move(*kept);
      kept_.erase(kept);
      return message;
    }
    if (auto message = endpoint_.receive(std::chrono::milliseconds(20))) {
      kept_.push_back(std::move(*message));
    }
    ODSGD_REQUIRE(now_s() < end_s, "benchmark: nothing heard from rank {} for {} s", source,
                  timeout_s_);
  }
}

void Meeting::flush() {
  const double end_s = now_s() + timeout_s_;
  while (endpoint_.unsent() > 0) {
    if (auto message = endpoint_.receive(std::chrono::milliseconds(1))) {
      kept_.push_back(std::move(*message));
    }
    ODSGD_REQUIRE(now_s() < end_s, "benchmark: a message was not sent for {} s", timeout_s_);
  }
}

}  // namespace odsgd
