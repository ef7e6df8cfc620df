#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "odsgd/base/function_ref.hpp"
#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/ps/protocol.hpp"
#include "odsgd/ps/shard_map.hpp"

namespace odsgd {

/// Sums what all workers push, for an exchange without servers.
///
/// Slices are fused into buckets: runs of slices in the order of the layout, together no longer
/// than a message. When the last slice of a bucket has been pushed, its floats, which lie one after
/// the other in the gradient store, are summed over all ranks as they lie there. Buckets are
/// started one after the other from the last slice to the first, as backward finishes them, and
/// again in the next step: in the same order on all ranks. So every worker has to push every key in
/// every step that it pushes any in.
///
/// Threads: add() belongs to the compute thread, split() to the one that dispatches, pending() any.
class Summation {
 public:
  /// The references must outlive it; what it has lent to the transport need not come back before.
  Summation(Endpoint& endpoint, const ParameterLayout& layout, const ShardMap& shards);

  /// Takes part in the sum of this slice with `body`, a loan of the gradient store: its float32.
  void add(std::uint32_t slice, Clock step, Clock base_clock, Payload body);

  /// Hands over a sum as what it is for the server of this rank: one push message a slice, whose
  /// bodies share the sum's memory.
  void split(const Message& sum, FunctionRef<void(const Message& push)> hand_over);

  /// Which sums have not come yet.
  std::string pending() const;

 private:
  struct Bucket;
  struct UnderWay {
    std::uint32_t bucket;
    Clock step;
  };
  void start(std::uint32_t number);

  Endpoint& endpoint_;
  const ParameterLayout& layout_;
  const ShardMap& shards_;
  std::vector<std::shared_ptr<Bucket>> buckets_;  // from the last slices to the first
  std::vector<std::uint32_t> bucket_of_;          // by slice
  std::uint32_t next_ = 0;                        // bucket to be started; compute thread

  mutable std::mutex mutex_;  // guards the next
  std::vector<UnderWay> under_way_;
};

}  // namespace odsgd
