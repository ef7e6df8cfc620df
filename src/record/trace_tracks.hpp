#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "odsgd/base/timeline.hpp"

namespace odsgd {

/// Spreads the spans of each lane over as few tracks as show them right: a track takes a span that
/// begins after all its others have ended, or, in lanes of calls within calls, that ends before
/// those that it begins in.
class TraceTracks {
 public:
  /// The number of the track in its lane, from 0: the first that fits. Spans have to come in the
  /// order of their begins; of those that begin together the longest comes first.
  int place(Lane lane, std::int64_t begin_ns, std::int64_t end_ns);

 private:
  /// The ends of a track's open spans, the outermost first.
  using OpenEnds = std::vector<std::int64_t>;

  std::array<std::vector<OpenEnds>, kLanes> lanes_;
};

}  // namespace odsgd
