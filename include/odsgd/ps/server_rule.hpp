#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "odsgd/base/types.hpp"
#include "odsgd/ps/codec.hpp"
#include "odsgd/ps/shard_map.hpp"
#include "odsgd/transport/payload.hpp"

namespace odsgd {

/// One slice of the global weights on its server, as a rule sees it.
struct ServerSlice {
  Slice where;
  std::span<const float> weights;  ///< W; where.count floats
  bool decays = false;             ///< weight decay applies
  Clock clock = 0;                 ///< how often its rule has updated it
};

/// One worker's gradient of one slice, still as it was sent; or the sum of several workers'.
struct Push {
  int worker = 0;
  int workers = 1;  ///< whose gradients it holds
  Clock step = 0;
  Clock base_clock = 0;  ///< of the weights that it was taken with
  Codec codec = Codec::kFloat32;
  Payload body{};
  Payload base{};  ///< those weights, of a half that keeps_bases
};

/// The server half of an algorithm, for one slice: how pushes change the global weights. Threads:
/// one at a time.
class ServerRule {
 public:
  virtual ~ServerRule() = default;

  /// From the weights W of `slice` and the pushes, the new weights. `updated` may be the memory of
  /// slice.weights or another of the same size. The pushes are those of one round, in worker
  /// order, or a single one: see ServerHalf.
  virtual void update(const ServerSlice& slice, std::span<const Push> pushes,
                      std::span<float> updated) = 0;
};

/// What a server needs of an algorithm.
struct ServerHalf {
  /// An update takes all workers' pushes of one step; otherwise each push by itself, at once.
  bool takes_rounds = true;

  /// By how many steps a worker's pushes may be ahead of the round; with rounds only. As many
  /// pushes more of each worker are kept.
  Clock most_ahead = 1;

  /// The weights that each worker was sent last are kept, for the rule to see beside its push. With
  /// single pushes only, and workers that ask for weights once a step.
  bool keeps_bases = false;

  /// A slice is a whole key, however big: the rule needs all of it at once.
  bool needs_whole_keys = false;

  /// Makes the rule of one slice of `count` floats.
  std::function<std::unique_ptr<ServerRule>(std::size_t count)> make_rule;
};

}  // namespace odsgd
