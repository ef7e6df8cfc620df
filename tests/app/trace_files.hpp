#pragma once

#include <string>
#include <vector>

namespace odsgd::test {

/// One span of a trace file. Times in seconds, on the clock of the reference rank.
struct Event {
  int track = 0;
  std::string lane;
  std::string name;
  std::string key;  ///< empty: none
  int step = 0;
  double begin_s = 0;
  double end_s = 0;
};

/// One rank's file, as any reader of JSON sees it.
struct TraceFile {
  std::string run_id;
  std::string role;
  int ranks = 0;
  double uncertainty_s = 0;
  std::vector<Event> events;  ///< in order of their begins

  std::vector<Event> in_lane(const std::string& lane) const;
  std::size_t count(const std::string& lane, const std::string& name, int step,
                    const std::string& key = "") const;
};

TraceFile read_trace_file(const std::string& path);

}  // namespace odsgd::test
