#pragma once

#include <functional>
#include <memory>
#include <span>

#include "odsgd/base/types.hpp"
#include "odsgd/ps/protocol.hpp"
#include "odsgd/ps/shard_map.hpp"

namespace odsgd {

/// One slice of the global weights on its server.
struct ServerSlice {
  Slice where;
  std::span<float> weights;  ///< where.count floats
  bool decays = false;       ///< weight decay applies
  Clock clock = 0;           ///< how often its rule has updated it
};

/// One worker's gradient of one slice. Holding the payload keeps the floats alive.
struct Push {
  int worker = 0;
  Clock step = 0;
  Payload payload;
  std::span<const float> gradient;  ///< points into the payload; where.count floats
};

/// The server half of an algorithm, for one slice: decides when and how pushes change the global
/// weights. Threads: the server's only.
class ServerRule {
 public:
  virtual ~ServerRule() = default;

  /// Takes a push. Returns true when it has updated the slice's weights; the server then advances
  /// the clock by one. Throws Error for a push that may not come now.
  virtual bool on_push(const ServerSlice& slice, Push push) = 0;
};

/// Makes the rule of one slice of `count` floats.
using MakeServerRule = std::function<std::unique_ptr<ServerRule>(std::size_t count)>;

}  // namespace odsgd
