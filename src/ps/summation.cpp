#include "odsgd/ps/summation.hpp"

#include <algorithm>
#include <utility>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/pending.hpp"

namespace odsgd {

/// A run of slices, and the loans of those that have been pushed. As memory it is what one sum
/// reads.
struct Summation::Bucket final : SharedMemory {
  Bucket() : SharedMemory(give_back) {}

  /// Once a slice is back, the compute thread may push it again while others here are not.
  static void give_back(SharedMemory& memory) noexcept {
    auto& bucket = static_cast<Bucket&>(memory);
    const auto self = std::move(bucket.self);
    for (Payload& loan : bucket.loans) loan = {};
  }

  std::uint32_t first = 0;  // slice
  std::size_t floats = 0;
  std::vector<Payload> loans;    // by slice, from the first on
  std::size_t pushed = 0;        // how many of them are there
  Clock step = 0;                // of these
  Clock base_clock = 0;          // the oldest of these
  std::shared_ptr<Bucket> self;  // while a sum reads it: the summation may be gone
};

Summation::Summation(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards)
    : endpoint_(endpoint), layout_(layout), shards_(shards), bucket_of_(shards.slices().size()) {
  for (auto slice = static_cast<std::uint32_t>(bucket_of_.size()); slice-- > 0;) {
    const std::size_t floats = shards[slice].count;
    if (buckets_.empty() || buckets_.back()->floats + floats > shards.message_floats()) {
      buckets_.push_back(std::make_shared<Bucket>());
    }
    Bucket& bucket = *buckets_.back();
    bucket.first = slice;
    bucket.floats += floats;
    bucket.loans.emplace_back();
    bucket_of_[slice] = static_cast<std::uint32_t>(buckets_.size() - 1);
  }
}

void Summation::add(std::uint32_t slice, Clock step, Clock base_clock, Payload body) {
  Bucket& bucket = *buckets_[bucket_of_.at(slice)];
  const std::string& key = layout_[shards_[slice].key].name;
  ODSGD_REQUIRE(body.size() == shards_[slice].count * sizeof(float),
                "sum of {}: got {} bytes, want {} (float32)", key, body.size(),
                shards_[slice].count * sizeof(float));
  ODSGD_REQUIRE(bucket.pushed == 0 || bucket.step == step,
                "sum of {}: got step {}, want {} as of the keys that it is summed with", key, step,
                bucket.step);
  bucket.base_clock = bucket.pushed == 0 ? base_clock : std::min(bucket.base_clock, base_clock);
  bucket.step = step;
  bucket.loans[slice - bucket.first] = std::move(body);
  ++bucket.pushed;
  while (buckets_[next_]->pushed == buckets_[next_]->loans.size()) {
    start(next_);
    next_ = (next_ + 1) % static_cast<std::uint32_t>(buckets_.size());
  }
}

void Summation::start(std::uint32_t number) {
  Bucket& bucket = *buckets_[number];
  bucket.pushed = 0;
  bucket.self = buckets_[number];
  {
    const std::lock_guard lock(mutex_);
    under_way_.push_back({number, bucket.step});
  }
  const std::byte* begin = bucket.loans.front().bytes().data();
  endpoint_.sum(envelope_of({.kind = MessageKind::kSum,
                             .slice = number,
                             .clock = bucket.step,
                             .base_clock = bucket.base_clock}),
                Payload({begin, bucket.floats * sizeof(float)}, &bucket));
}

void Summation::split(const Message& sum, FunctionRef<void(const Message&)> hand_over) {
  const Header header = header_of(sum);
  ODSGD_REQUIRE(sum.source == endpoint_.rank() && header.slice < buckets_.size(),
                "sum from rank {}: got bucket {}, want one of {} from rank {}", sum.source,
                header.slice, buckets_.size(), endpoint_.rank());
  const Bucket& bucket = *buckets_[header.slice];  // only what does not change
  {
    const std::lock_guard lock(mutex_);
    const auto done =
        std::find_if(under_way_.begin(), under_way_.end(), [&](const UnderWay& started) {
          return started.bucket == header.slice && started.step == header.clock;
        });
    ODSGD_REQUIRE(done != under_way_.end(), "sum of bucket {} at step {}: was not asked for",
                  header.slice, header.clock);
    under_way_.erase(done);
  }
  const std::size_t offset = shards_[bucket.first].offset;
  for (std::uint32_t i = 0; i < bucket.loans.size(); ++i) {
    const Slice& slice = shards_[bucket.first + i];
    hand_over(
        {sum.source,
         envelope_of({.kind = MessageKind::kPush,
                      .slice = bucket.first + i,
                      .clock = header.clock,
                      .base_clock = header.base_clock}),
         sum.body.part((slice.offset - offset) * sizeof(float), slice.count * sizeof(float))});
  }
}

std::string Summation::pending() const {
  PendingList pending;
  const std::lock_guard lock(mutex_);
  for (const auto& [number, step] : under_way_) {
    const Bucket& bucket = *buckets_[number];
    for (auto i = static_cast<std::uint32_t>(bucket.loans.size()); i-- > 0;) {
      pending.add(
          fmt::format("sum of {} at step {}", layout_[shards_[bucket.first + i].key].name, step));
    }
  }
  return pending.text();
}

}  // namespace odsgd
