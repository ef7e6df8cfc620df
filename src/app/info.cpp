#include "info.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "describe_data.hpp"
#include "describe_model.hpp"
#include "odsgd/data/dataset.hpp"
#include "odsgd/record/run_summary.hpp"
#include "odsgd/record/trace_summary.hpp"

namespace odsgd {
namespace {

void show(const std::string& text, const nlohmann::json& object, bool json) {
  fmt::print("{}", json ? object.dump(2) + "\n" : text);
}

void show_trace(const std::string& directory, bool json) {
  const std::string merged = (std::filesystem::path(directory) / "trace.json").string();
  const TraceSummary trace = merge_chrome_traces(directory, merged);
  fmt::print("{}", json ? to_json(trace) + "\n" : to_text(trace));
}

}  // namespace

void show_info(const InfoOptions& options) {
  if (!options.trace.empty()) {
    show_trace(options.trace, options.json);
  } else if (!options.model.empty()) {
    const DatasetInfo data = read_dataset_info(options.file);
    show(model_to_text(options.model, data), model_to_json(options.model, data), options.json);
  } else if (is_run_log(options.file)) {
    const RunSummary run = read_run(options.file);
    fmt::print("{}", options.json ? to_json(run) + "\n" : to_text(run));
  } else {
    const Dataset data = Dataset::load(options.file);
    show(data_to_text(data), data_to_json(data), options.json);
  }
}

}  // namespace odsgd
