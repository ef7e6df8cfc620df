#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/timeline.hpp"
#include "odsgd/ps/flight_times.hpp"
#include "odsgd/ps/settings.hpp"
#include "odsgd/ps/shard_map.hpp"
#include "odsgd/transport/payload.hpp"

namespace odsgd {

/// A worker's gradient, and the memory that its pushes are sent from.
///
/// A push of float32 lends the gradient itself to the transport, without a copy; other codecs write
/// to memory of their own, which is what is lent then. With settings.threshold > 0 the store keeps
/// a residual for kTwoBit, a float a parameter, 0 at first; other pushes neither send nor change
/// it. Until a slice is back, its floats must stay as they are. The store stays alive as long as
/// anything of it is lent. Threads: floats, lend and the wait belong to the compute thread; slices
/// come back on any.
class GradientStore : public std::enable_shared_from_this<GradientStore> {
 public:
  /// `shards` must outlive what uses the store, but not what it has lent. Each loan becomes a span
  /// of the timeline, if there is one. Throws Error when settings.threshold is negative or not
  /// finite.
  GradientStore(const ShardMap& shards, std::size_t floats, const ExchangeSettings& settings,
                std::shared_ptr<Timeline> timeline = nullptr);
  ~GradientStore();
  GradientStore(const GradientStore&) = delete;
  GradientStore& operator=(const GradientStore&) = delete;

  std::span<float> floats() { return floats_.span(); }

  /// The slice's gradient of `step` as the codec writes it, for posting; that is kFloat32, the
  /// settings' push_codec, or with a threshold kTwoBit. Throws Error when it is another, or the
  /// slice is lent already.
  Payload lend(std::uint32_t slice, Clock step, Codec codec);

  /// Waits until the slices [first, last) are back, or somebody gives up.
  void wait_until_back(std::uint32_t first, std::uint32_t last);

  bool is_lent(std::uint32_t slice) const;  ///< any thread

  bool is_all_back() const;  ///< nothing is lent; any thread

  void give_up();  ///< ends all waits, now and later; any thread

  FlightTimes& times() { return times_; }

 private:
  struct Loan;
  std::size_t most_packed(std::size_t count) const;
  std::span<const std::byte> pack(const Slice& slice, std::size_t packed_at, Codec codec);
  bool are_back(std::uint32_t first, std::uint32_t last) const;
  void came_back();

  const ShardMap& shards_;
  Codec codec_;  // with kFloat32 and, if threshold_ > 0, kTwoBit all that are used
  float threshold_;
  AlignedBuffer<float> floats_;
  AlignedBuffer<float> residual_;    // like floats_; empty without a threshold
  AlignedBuffer<std::byte> packed_;  // of pushes that are not float32; slice after slice
  std::vector<Loan> loans_;          // by slice
  FlightTimes times_;
  std::shared_ptr<Timeline> timeline_;
  Timeline::Label label_ = 0;

  std::mutex mutex_;
  std::condition_variable back_;
  bool has_given_up_ = false;  // guarded by mutex_
};

}  // namespace odsgd
