#include "info.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "describe_data.hpp"
#include "odsgd/data/dataset.hpp"
#include "odsgd/record/run_summary.hpp"

namespace odsgd {

void show_file(const InfoOptions& options) {
  if (is_run_log(options.file)) {
    const RunSummary run = read_run(options.file);
    fmt::print("{}", options.json ? to_json(run) + "\n" : to_text(run));
    return;
  }
  const Dataset data = Dataset::load(options.file);
  fmt::print("{}", options.json ? data_to_json(data).dump(2) + "\n" : data_to_text(data));
}

}  // namespace odsgd
