#include "odsgd/ps/gradient_store.hpp"

#include <atomic>
#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {

struct GradientStore::Loan final : SharedMemory {
  Loan() : SharedMemory(give_back) {}
  static void give_back(SharedMemory& memory) noexcept {
    auto& loan = static_cast<Loan&>(memory);
    const auto store = std::move(loan.store);  // goes last: the loan is part of it
    store->times_.end_push();
    if (store->timeline_) {
      loan.span.end_s = now_s();
      store->timeline_->add(loan.span);
    }
    loan.is_out.store(false, std::memory_order_release);  // from here on it may be lent again
    store->came_back();
  }
  std::shared_ptr<GradientStore> store;  // while it is lent
  Timeline::Span span;                   // with a timeline
  std::atomic<bool> is_out = false;
};

GradientStore::GradientStore(const ShardMap& shards, std::size_t floats, Codec codec,
                             std::shared_ptr<Timeline> timeline)
    : shards_(shards),
      codec_(codec),
      floats_(floats),
      encoded_(codec == Codec::kFloat32 ? 0 : encoded_bytes(codec, floats)),
      loans_(std::make_unique<Loan[]>(shards.slices().size())),
      timeline_(std::move(timeline)) {
  if (timeline_) label_ = timeline_->label("push");
}

GradientStore::~GradientStore() = default;

Payload GradientStore::lend(std::uint32_t number, Clock step) {
  const Slice& slice = shards_[number];
  Loan& loan = loans_[number];
  ODSGD_REQUIRE(!loan.is_out.load(std::memory_order_acquire),
                "push of slice {}: its last push is still being sent", number);
  if (timeline_) {
    loan.span = {
        .begin_s = now_s(), .step = step, .key = slice.key, .label = label_, .lane = Lane::kPush};
  }
  const std::span<const float> g = floats_.span().subspan(slice.offset, slice.count);
  std::span<const std::byte> bytes = std::as_bytes(g);
  if (codec_ != Codec::kFloat32) {
    const std::size_t begin = encoded_bytes(codec_, slice.offset);
    const auto into = encoded_.span().subspan(begin, encoded_bytes(codec_, slice.count));
    encode(codec_, g, into);
    bytes = into;
  }
  loan.store = shared_from_this();
  loan.is_out.store(true, std::memory_order_relaxed);
  times_.begin_push();
  return Payload(bytes, &loan);
}

bool GradientStore::is_lent(std::uint32_t slice) const {
  return loans_[slice].is_out.load(std::memory_order_acquire);
}

bool GradientStore::are_back(std::uint32_t first, std::uint32_t last) const {
  for (std::uint32_t slice = first; slice < last; ++slice) {
    if (is_lent(slice)) return false;
  }
  return true;
}

bool GradientStore::is_all_back() const {
  return are_back(0, static_cast<std::uint32_t>(shards_.slices().size()));
}

void GradientStore::wait_until_back(std::uint32_t first, std::uint32_t last) {
  if (are_back(first, last)) return;
  std::unique_lock lock(mutex_);
  back_.wait(lock, [&] { return has_given_up_ || are_back(first, last); });
}

void GradientStore::give_up() {
  {
    const std::lock_guard lock(mutex_);
    has_given_up_ = true;
  }
  back_.notify_all();
}

void GradientStore::came_back() {
  // Under the mutex, or the news could fall between a waiting thread's look and its sleep.
  { const std::lock_guard lock(mutex_); }
  back_.notify_all();
}

}  // namespace odsgd
