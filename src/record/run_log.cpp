#include "odsgd/record/run_log.hpp"

#include <exception>

#include "columns.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/record/overlap.hpp"
#include "odsgd/record/run_result.hpp"
#include "result_fields.hpp"
#include "run_format.hpp"

namespace odsgd {
namespace {

/// By what the file grows at most for some rows, beside these: new pieces of all columns of the
/// widest table, twice over for their indices, and attributes.
constexpr std::uint64_t kRoom = std::uint64_t{256} << 10;

void write_all(h5::Group& group, const KeyValues& values) {
  for (const auto& [name, value] : values) group.set_attribute(name, value);
}

h5::File begin(const std::string& path, const RunDescription& description) {
  h5::File file = h5::File::create(path);
  file.set_attribute(format::kFormat, std::string(format::kRunLog));
  file.set_attribute(format::kVersionName, format::kVersion);
  file.set_attribute(format::kStatus, std::string("running"));
  file.set_attribute("command_line", description.command_line);
  file.set_attribute("measured", measured_paths());
  file.set_attribute(format::kIsBenchmark, std::int64_t{description.is_benchmark ? 1 : 0});
  if (description.is_benchmark) file.set_attribute("note", std::string(kBenchmarkNote));
  h5::Group config = file.create_group("config");
  write_all(config, description.config);
  config.set_attribute(format::kToml, description.toml);
  h5::Group environment = file.create_group("environment");
  write_all(environment, description.environment);
  return file;
}

template <class Row>
Table make_table(h5::Group& root, const char* name, const char* description) {
  return {root, name, description, specs<Row>()};
}

template <class Row>
void add_paths(const std::string& table, std::vector<std::string>& paths) {
  for (const ColumnSpec& column : specs<Row>()) {
    if (column.is_measured) paths.push_back(table + "/" + column.name);
  }
}

}  // namespace

RunLog::RunLog(const std::string& path, const RunDescription& description)
    : file_(begin(path, description)),
      train_(make_table<TrainRow>(file_, "train", "one row a logging interval, over all workers")),
      eval_(make_table<EvalRow>(file_, "eval", "one row an evaluation on the test set")),
      steps_(make_table<StepRow>(file_, "steps", "one row a logged step and worker")),
      timing_(make_table<TimingRow>(file_, "timing", "one row an epoch, rank and role")),
      overlap_(make_table<OverlapRow>(file_, "overlap", "one row an epoch, over the workers")),
      staleness_(make_table<StalenessRow>(file_, "staleness",
                                          "histogram of the staleness of all pushes")) {
  file_.flush();
}

RunLog::~RunLog() { fail("ended early"); }

void RunLog::add(const TrainRow& row) {
  file_.reserve(kRoom);
  train_.append(cells(row));
  file_.flush();
  rows_.train.push_back(row);
}

void RunLog::add(const EvalRow& row) {
  file_.reserve(kRoom);
  eval_.append(cells(row));
  file_.flush();
  rows_.eval.push_back(row);
}

void RunLog::add(std::span<const StepRow> rows) {
  std::vector<std::vector<Cell>> list;
  for (const StepRow& row : rows) list.push_back(cells(row));
  file_.reserve(kRoom + rows.size_bytes());
  steps_.append(list);
  file_.flush();
}

void RunLog::add(std::span<const TimingRow> epoch) {
  file_.reserve(kRoom + epoch.size_bytes());
  for (const TimingRow& row : epoch) timing_.append(cells(row));
  overlap_.append(cells(overlap_of(epoch)));
  file_.flush();
  rows_.timing.insert(rows_.timing.end(), epoch.begin(), epoch.end());
}

void RunLog::set_staleness(std::span<const StalenessRow> histogram) {
  std::vector<std::vector<Cell>> rows;
  for (const StalenessRow& row : histogram) rows.push_back(cells(row));
  file_.reserve(kRoom + histogram.size_bytes());
  staleness_.overwrite(rows);
  file_.flush();
  rows_.staleness.assign(histogram.begin(), histogram.end());
}

void RunLog::finish() {
  ODSGD_REQUIRE(is_open_, "{}: is closed, cannot be finished", file_.location().file);
  const RunResult result = result_of(rows_);
  file_.reserve(kRoom);
  for (const ResultField& field : result_fields()) {
    const auto value = [&](auto member) { return h5::Attribute(result.*member); };
    file_.set_attribute(std::string(field.name), std::visit(value, field.member));
  }
  file_.flush();
  file_.set_attribute(format::kStatus, std::string("finished"));
  file_.close();
  is_open_ = false;
}

void RunLog::fail(const std::string& text) noexcept {
  if (!is_open_) return;
  is_open_ = false;
  try {
    file_.set_attribute(format::kStatus, "failed: " + text);
    file_.close();
  } catch (const std::exception&) {
    // The disk is full, or the like: the log stays as it was flushed last.
  }
}

std::vector<std::string> measured_paths() {
  std::vector<std::string> paths{"/environment"};
  add_paths<TrainRow>("/train", paths);
  add_paths<EvalRow>("/eval", paths);
  add_paths<StepRow>("/steps", paths);
  add_paths<TimingRow>("/timing", paths);
  add_paths<OverlapRow>("/overlap", paths);
  for (const ResultField& field : result_fields()) {
    if (field.is_measured) paths.push_back("/@" + std::string(field.name));
  }
  return paths;
}

}  // namespace odsgd
