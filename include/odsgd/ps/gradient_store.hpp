#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/timeline.hpp"
#include "odsgd/ps/codec.hpp"
#include "odsgd/ps/flight_times.hpp"
#include "odsgd/ps/shard_map.hpp"
#include "odsgd/transport/payload.hpp"

namespace odsgd {

/// A worker's gradient, and the memory that its pushes are sent from.
///
/// A push of float32 lends the gradient itself to the transport, without a copy; other codecs write
/// to memory of their own, which is what is lent then. Until a slice is back, its floats must stay
/// as they are. The store stays alive as long as anything of it is lent. Threads: floats, lend and
/// the wait belong to the compute thread; slices come back on any.
class GradientStore : public std::enable_shared_from_this<GradientStore> {
 public:
  /// `shards` must outlive what uses the store, but not what it has lent. Each loan becomes a span
  /// of the timeline, if there is one.
  GradientStore(const ShardMap& shards, std::size_t floats, Codec codec,
                std::shared_ptr<Timeline> timeline = nullptr);
  ~GradientStore();
  GradientStore(const GradientStore&) = delete;
  GradientStore& operator=(const GradientStore&) = delete;

  std::span<float> floats() { return floats_.span(); }

  /// The slice's gradient of `step` as the codec writes it, for posting. Throws Error when the
  /// slice is lent already.
  Payload lend(std::uint32_t slice, Clock step);

  /// Waits until the slices [first, last) are back, or somebody gives up.
  void wait_until_back(std::uint32_t first, std::uint32_t last);

  bool is_lent(std::uint32_t slice) const;  ///< any thread

  bool is_all_back() const;  ///< nothing is lent; any thread

  void give_up();  ///< ends all waits, now and later; any thread

  FlightTimes& times() { return times_; }

 private:
  struct Loan;
  bool are_back(std::uint32_t first, std::uint32_t last) const;
  void came_back();

  const ShardMap& shards_;
  Codec codec_;
  AlignedBuffer<float> floats_;
  AlignedBuffer<std::byte> encoded_;  // slice after slice; empty for float32
  std::unique_ptr<Loan[]> loans_;     // by slice
  FlightTimes times_;
  std::shared_ptr<Timeline> timeline_;
  Timeline::Label label_ = 0;

  std::mutex mutex_;
  std::condition_variable back_;
  bool has_given_up_ = false;  // guarded by mutex_
};

}  // namespace odsgd
