#include "odsgd/ps/gradient_store.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/two_bit.hpp"

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
  std::size_t packed_at = 0;             // where its part of packed_ begins
  std::atomic<bool> is_out = false;
};

GradientStore::GradientStore(const ShardMap& shards, std::size_t floats,
                             const ExchangeSettings& settings, std::shared_ptr<Timeline> timeline)
    : shards_(shards),
      codec_(settings.push_codec),
      threshold_(settings.threshold),
      floats_(floats),
      residual_(settings.threshold > 0 ? floats : 0),
      loans_(shards.slices().size()),
      timeline_(std::move(timeline)) {
  ODSGD_REQUIRE(threshold_ >= 0 && std::isfinite(threshold_),
                "2-bit codec: got a threshold of {}, want one above 0, or 0 for none", threshold_);
  std::size_t end = 0;
  for (std::size_t i = 0; i < shards.slices().size(); ++i) {
    loans_[i].packed_at = end;
    end += most_packed(shards.slices()[i].count);
  }
  packed_ = AlignedBuffer<std::byte>(end);
  if (timeline_) label_ = timeline_->label("push");
}

GradientStore::~GradientStore() = default;

/// What a slice of so many floats takes at most, when it is not lent as it is.
std::size_t GradientStore::most_packed(std::size_t count) const {
  const bool is_own = codec_ != Codec::kFloat32 && codec_ != Codec::kTwoBit;
  const std::size_t most = std::max(is_own ? encoded_bytes(codec_, count) : 0,
                                    threshold_ > 0 ? encoded_bytes(Codec::kTwoBit, count) : 0);
  return (most + sizeof(float) - 1) / sizeof(float) * sizeof(float);
}

/// Writes the slice's gradient as the codec does.
std::span<const std::byte> GradientStore::pack(const Slice& slice, std::size_t packed_at,
                                               Codec codec) {
  const std::span<const float> g = floats_.span().subspan(slice.offset, slice.count);
  const auto into = packed_.span().subspan(packed_at, encoded_bytes(codec, slice.count));
  if (codec == Codec::kTwoBit) {
    encode_two_bit(g, residual_.span().subspan(slice.offset, slice.count), threshold_, into);
  } else {
    encode(codec, g, into);
  }
  return into;
}

Payload GradientStore::lend(std::uint32_t number, Clock step, Codec codec) {
  const Slice& slice = shards_[number];
  Loan& loan = loans_[number];
  ODSGD_REQUIRE(!loan.is_out.load(std::memory_order_acquire),
                "push of slice {}: its last push is still being sent", number);
  ODSGD_REQUIRE(codec != Codec::kTwoBit || threshold_ > 0,
                "push of slice {}: got the 2-bit codec and no threshold, want one above 0", number);
  ODSGD_REQUIRE(codec == Codec::kFloat32 || codec == Codec::kTwoBit || codec == codec_,
                "push of slice {}: got codec {}, want float32 or that of the settings", number,
                codec_names().at(static_cast<std::size_t>(codec)));
  if (timeline_) {
    loan.span = {
        .begin_s = now_s(), .step = step, .key = slice.key, .label = label_, .lane = Lane::kPush};
  }
  const std::span<const std::byte> bytes =
      codec == Codec::kFloat32 ? std::as_bytes(floats_.span().subspan(slice.offset, slice.count))
                               : pack(slice, loan.packed_at, codec);
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
