#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "odsgd/h5/element.hpp"
#include "odsgd/record/rows.hpp"
#include "odsgd/record/run_log.hpp"
#include "odsgd/record/run_result.hpp"

namespace odsgd {

/// Name and shape of one array of the final weights.
struct WeightArray {
  std::string name;
  h5::Shape shape;
};

/// All that a run log holds but the values of the weights.
struct RunSummary {
  std::string path{};
  std::string status{};  ///< "finished", "failed: text", or "running" (also after a kill)
  std::string command_line{};
  std::string toml{};
  bool is_benchmark = false;  ///< on the synthetic device: no training, whatever its rows say
  KeyValues config{};
  KeyValues environment{};
  RunRows rows{};
  RunResult result{};                  ///< of the rows
  std::vector<WeightArray> weights{};  ///< empty before the end
  std::optional<std::int64_t> weights_clock{};
};

/// Whether the HDF5 file at `path` is a run log. Throws Error when it is no HDF5 file.
bool is_run_log(const std::string& path);

/// Reads the log of a finished, failed, killed or still growing run. Throws Error when the file is
/// none.
RunSummary read_run(const std::string& path);

std::string to_text(const RunSummary& run);  ///< for people, several lines
std::string to_json(const RunSummary& run);  ///< one JSON object; NaN becomes null

/// The table that ends a run: test accuracy (of a benchmark: that it is one), time, images/s, share
/// of communication hidden, where the log is and how to look into it.
std::string end_of_run_text(const RunSummary& run);

}  // namespace odsgd
