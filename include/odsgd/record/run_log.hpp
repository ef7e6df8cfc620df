#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "odsgd/h5/file.hpp"
#include "odsgd/record/rows.hpp"
#include "odsgd/record/table.hpp"

namespace odsgd {

using KeyValues = std::vector<std::pair<std::string, h5::Attribute>>;

/// What all texts about a run on the synthetic device say.
inline constexpr const char* kBenchmarkNote =
    "synthetic device: a benchmark of the exchange, not a training";

/// What is known of a run before its first step.
struct RunDescription {
  std::string command_line{};
  std::string toml{};         ///< the configuration file that reruns it
  bool is_benchmark = false;  ///< on the synthetic device
  KeyValues config{};         ///< every option, also those left at their defaults
  KeyValues environment{};    ///< versions, hosts, ranks, roles, device, start time, ...
};

/// The log of one run, an HDF5 file that can be read while it grows and after a kill.
///
/// Every add flushes: what it was given survives the death of the process. Layout:
/// docs/file-formats.md. Threads: one at a time. Throws Error when the disk is full or the like.
class RunLog {
 public:
  /// Creates the file with status "running". Throws Error when it exists or cannot be created.
  RunLog(const std::string& path, const RunDescription& description);

  /// Without finish() or fail() before, sets the status "failed: ended early"; never throws.
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  void add(const TrainRow& row);
  void add(const EvalRow& row);
  void add(std::span<const StepRow> rows);     ///< in order of step, then rank
  void add(std::span<const TimingRow> epoch);  ///< all ranks of an epoch; and its OverlapRow

  /// Replaces the histogram; one row a value that occurred, ascending. Values only come, none goes.
  void set_staleness(std::span<const StalenessRow> histogram);

  /// Makes sure that there is room for so many bytes; see h5::File::reserve().
  void reserve(std::uint64_t bytes) { file_.reserve(bytes); }

  /// The file, to write more into, e.g. the final weights.
  h5::Group& root() { return file_; }

  /// Writes the numbers of result_of(rows so far) as attributes of the file, sets the status
  /// "finished" and closes. Throws Error when that fails; the status is then not "finished".
  void finish();

  /// Sets the status "failed: text" and closes. Never throws: what ended the run is more important.
  void fail(const std::string& text) noexcept;

 private:
  h5::File file_;
  RunRows rows_;
  Table train_;
  Table eval_;
  Table steps_;
  Table timing_;
  Table overlap_;
  Table staleness_;
  bool is_open_ = true;
};

/// What differs between two runs of the same work, as paths: data sets, whole groups, and
/// attributes of the file as "/@name". Stored as the attribute `measured` of the file.
std::vector<std::string> measured_paths();

}  // namespace odsgd
