#include <chrono>
#include <string>
#include <thread>

#include "columns.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/h5/file.hpp"
#include "odsgd/record/run_summary.hpp"
#include "run_format.hpp"

namespace odsgd {
namespace {

constexpr int kAttempts = 5;

bool has_run_log_format(const h5::File& file) {
  if (!file.has_attribute(format::kFormat)) return false;
  const h5::Attribute value = file.attribute(format::kFormat);
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == format::kRunLog;
}

template <class Row>
std::vector<Row> read_rows(const h5::File& file, const char* table) {
  std::vector<Row> rows;
  for (const auto& list : read_table(file.group(table), specs<Row>())) {
    rows.push_back(row_of<Row>(list));
  }
  return rows;
}

KeyValues read_attributes(const h5::Group& group) {
  KeyValues values;
  for (const std::string& name : group.attribute_names()) {
    if (name != format::kToml) values.emplace_back(name, group.attribute(name));
  }
  return values;
}

void read_weights_shapes(const h5::File& file, RunSummary& run) {
  if (!file.has("weights")) return;
  const h5::Group weights = file.group("weights");
  for (const std::string& name : weights.names()) {
    run.weights.push_back({name, weights.dataset(name).shape()});
  }
  if (weights.has_attribute("clock")) {
    run.weights_clock = weights.attribute_as<std::int64_t>("clock");
  }
}

RunSummary read_once(const std::string& path) {
  const h5::File file = h5::File::open_read(path);
  ODSGD_REQUIRE(has_run_log_format(file), "{}: is not a run log: has no attribute {} = '{}'", path,
                format::kFormat, format::kRunLog);
  const auto version = file.attribute_as<std::int64_t>(format::kVersionName);
  ODSGD_REQUIRE(version >= 1 && version <= format::kVersion,
                "{}: run log has format version {}, want 1 to {}", path, version, format::kVersion);
  RunSummary run;
  run.path = path;
  run.status = file.attribute_as<std::string>(format::kStatus);
  run.command_line = file.attribute_as<std::string>("command_line");
  run.is_benchmark = file.has_attribute(format::kIsBenchmark) &&  // older logs have none
                     file.attribute_as<std::int64_t>(format::kIsBenchmark) != 0;
  const h5::Group config = file.group("config");
  run.toml = config.attribute_as<std::string>(format::kToml);
  run.config = read_attributes(config);
  run.environment = read_attributes(file.group("environment"));
  run.rows.train = read_rows<TrainRow>(file, "train");
  run.rows.eval = read_rows<EvalRow>(file, "eval");
  run.rows.timing = read_rows<TimingRow>(file, "timing");
  if (version == 1) {
    for (TimingRow& row : run.rows.timing) {
      row.measured_wait = row.wait;
      row.measured_in_flight = row.in_flight;
    }
  } else {
    run.rows.overlap = read_rows<OverlapRow>(file, "overlap");
  }
  run.rows.staleness = read_rows<StalenessRow>(file, "staleness");
  run.result = result_of(run.rows);
  read_weights_shapes(file, run);
  return run;
}

/// Reads again when that fails: a writer may be in the middle of a flush, some tens of
/// microseconds.
template <class Read>
auto patiently(Read read) {
  for (int attempt = 1;; ++attempt) {
    try {
      return read();
    } catch (const Error&) {
      if (attempt == kAttempts) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

}  // namespace

bool is_run_log(const std::string& path) {
  return patiently([&] { return has_run_log_format(h5::File::open_read(path)); });
}

RunSummary read_run(const std::string& path) {
  return patiently([&] { return read_once(path); });
}

}  // namespace odsgd
