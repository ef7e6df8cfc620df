#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "odsgd/base/aligned_buffer.hpp"
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
  /// `shards` must outlive what uses the store, but not what it has lent.
  GradientStore(const ShardMap& shards, std::size_t floats, Codec codec);
  ~GradientStore();
  GradientStore(const GradientStore&) = delete;
  GradientStore& operator=(const GradientStore&) = delete;

  std::span<float> floats() { return floats_.span(); }

  /// The slice as the codec writes it, for posting. Throws Error when it is lent already.
  Payload lend(std::uint32_t slice);

  /// Waits until the slices [first, last) are back, or somebody gives up.
  void wait_until_back(std::uint32_t first, std::uint32_t last);

  bool is_lent(std::uint32_t slice) const;  ///< any thread

  void give_up();  ///< ends all waits, now and later; any thread

  FlightTimes& times() { return times_; }

 private:
  struct Loan;
  void came_back();

  const ShardMap& shards_;
  Codec codec_;
  AlignedBuffer<float> floats_;
  AlignedBuffer<std::byte> encoded_;  // slice after slice; empty for float32
  std::unique_ptr<Loan[]> loans_;     // by slice
  FlightTimes times_;

  std::mutex mutex_;
  std::condition_variable back_;
  bool has_given_up_ = false;  // guarded by mutex_
};

}  // namespace odsgd
