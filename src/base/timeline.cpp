#include "odsgd/base/timeline.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {

static_assert(sizeof(Timeline::Span) == 32);

std::string_view lane_name(Lane lane) {
  static constexpr std::array<std::string_view, kLanes> kNames{
      "compute", "wait", "update", "push", "pull", "server", "evaluate"};
  return kNames.at(static_cast<std::size_t>(lane));
}

Timeline::Timeline(std::size_t capacity) : capacity_(capacity) {
  ODSGD_REQUIRE(capacity > 0, "timeline: got a capacity of 0 spans, want 1 or more");
  blocks_.reserve((capacity - 1) / kBlockSpans + 1);  // so that add() moves no pointers either
}

Timeline::Label Timeline::label(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(labels_.begin(), labels_.end(), text);
  const auto index = static_cast<std::size_t>(found - labels_.begin());
  constexpr std::size_t kMost = std::numeric_limits<Label>::max();
  ODSGD_REQUIRE(index <= kMost, "timeline: got label {} beyond {} others, want no more", text,
                kMost + 1);
  if (found == labels_.end()) labels_.emplace_back(text);
  return static_cast<Label>(index);
}

void Timeline::add(const Span& span) noexcept {
  const std::lock_guard lock(mutex_);
  if (!has_room()) {
    ++dropped_;
    return;
  }
  (*blocks_[size_ / kBlockSpans])[size_ % kBlockSpans] = span;
  ++size_;
}

/// Makes the next block when the last one is full. A failure to is no reason to end a training.
bool Timeline::has_room() {
  if (size_ == capacity_) return false;
  if (size_ < blocks_.size() * kBlockSpans) return true;
  std::unique_ptr<Block> block(new (std::nothrow) Block);
  if (block == nullptr) return false;
  blocks_.push_back(std::move(block));
  return true;
}

std::vector<Timeline::Span> Timeline::spans() const {
  const std::lock_guard lock(mutex_);
  std::vector<Span> all;
  all.reserve(size_);
  for (std::size_t at = 0; at < size_; at += kBlockSpans) {
    const Span* first = blocks_[at / kBlockSpans]->data();
    all.insert(all.end(), first, first + std::min(kBlockSpans, size_ - at));
  }
  return all;
}

std::vector<std::string> Timeline::labels() const {
  const std::lock_guard lock(mutex_);
  return labels_;
}

std::size_t Timeline::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

std::size_t Timeline::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace odsgd
