#pragma once

#include <span>
#include <string>

#include "odsgd/base/clock_offset.hpp"
#include "odsgd/base/timeline.hpp"

namespace odsgd {

/// Whose timeline a trace file holds.
struct TraceIdentity {
  int rank = 0;
  int ranks = 1;       ///< of the run: so a reader knows that it has all files
  std::string role{};  ///< "worker 2"
  std::string host{};
  std::string run_id{};  ///< the same on all ranks of a run, and another in every other run
};

/// "rank-0003.json".
std::string trace_file_name(int rank);

/// Writes a timeline as Chrome trace JSON, which Perfetto and chrome://tracing show: one process a
/// rank, one track a lane. Times are those of the reference rank, to which `clock` leads.
///
/// Tracks show only spans that nest. Those that do not, and all that overlap in the lanes push,
/// pull and server, where one is never part of another, are spread over more tracks ("push 2").
/// That, and not the format's asynchronous events, since one complete event a span is half the size
/// and every viewer and script reads it; and Perfetto would make a track of each event name.
///
/// `key_names` has the name of every key that a span is about. The file is written under a
/// temporary name (path + ".part") and renamed, event by event. Layout: docs/file-formats.md.
/// Throws Error when it cannot be written.
void write_chrome_trace(const std::string& path, const TraceIdentity& identity,
                        const Timeline& timeline, std::span<const std::string> key_names,
                        const ClockMap& clock = {});

}  // namespace odsgd
