#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "odsgd/base/timeline.hpp"

namespace odsgd {

/// One rank's trace in a few numbers. Times are seconds since the first span of all ranks; NaN for
/// what there is no span of.
struct RankTrace {
  int rank = 0;
  std::string role{};
  std::string host{};
  std::int64_t spans = 0;
  std::int64_t dropped = 0;             ///< there was no room for; no other number knows of them
  double first_s = 0;                   ///< begin of the first span
  double last_s = 0;                    ///< end of the last to end
  std::array<double, kLanes> busy_s{};  ///< per lane: at least one of its spans was open
  double in_flight_s = 0;               ///< a push or a pull was under way
  double hidden_share = 0;              ///< 1 - wait / in_flight
  double clock_uncertainty_s = 0;       ///< of all times, against the reference rank
};

/// The traces of all ranks of a run.
struct TraceSummary {
  std::string path{};  ///< of the merged file
  std::string run_id{};
  std::vector<RankTrace> ranks{};  ///< rank 0, 1, ...
};

/// Joins the files rank-0000.json, ... of a directory, which write_chrome_trace() has made, to one
/// trace at `output`, written under a temporary name and renamed; there may be one already.
///
/// Files are read and written event by event. Throws Error, which names the file, when a rank's is
/// missing, none of this format, or of another run, and when there is one too many.
TraceSummary merge_chrome_traces(const std::string& directory, const std::string& output);

std::string to_text(const TraceSummary& trace);  ///< for people: a table, and how to look at it
std::string to_json(const TraceSummary& trace);  ///< one JSON object; NaN becomes null

}  // namespace odsgd
