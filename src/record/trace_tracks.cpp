#include "trace_tracks.hpp"

#include <algorithm>

namespace odsgd {
namespace {

/// Messages, and slices that several threads of a server work on, have no parts.
bool has_calls_in_calls(Lane lane) {
  return lane != Lane::kPush && lane != Lane::kPull && lane != Lane::kServer;
}

}  // namespace

int TraceTracks::place(Lane lane, std::int64_t begin_ns, std::int64_t end_ns) {
  std::vector<OpenEnds>& tracks = lanes_.at(static_cast<std::size_t>(lane));
  const auto fits = [&](OpenEnds& open) {
    while (!open.empty() && open.back() <= begin_ns) open.pop_back();
    return open.empty() || (has_calls_in_calls(lane) && end_ns <= open.back());
  };
  auto track = std::find_if(tracks.begin(), tracks.end(), fits);
  if (track == tracks.end()) track = tracks.emplace(track);
  track->push_back(end_ns);
  return static_cast<int>(track - tracks.begin());
}

}  // namespace odsgd
