#include <nlohmann/json.hpp>

#include "columns.hpp"
#include "odsgd/record/overlap.hpp"
#include "odsgd/record/run_summary.hpp"
#include "result_fields.hpp"

namespace odsgd {
namespace {

using Json = nlohmann::ordered_json;

Json object_of(const KeyValues& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) {
    object[name] = std::visit([](const auto& v) { return Json(v); }, value);
  }
  return object;
}

/// {"column": [values], ...}, as in the file.
template <class Row>
Json table_of(const std::vector<Row>& rows) {
  Json table = Json::object();
  for (const Column<Row>& column : columns<Row>()) {
    Json& values = table[column.spec.name] = Json::array();
    for (const Row& row : rows) {
      std::visit([&](auto value) { values.push_back(value); }, column.get(row));
    }
  }
  return table;
}

/// The table that ends a run: all its epochs in one row of /overlap, and the shares of a core.
Json times_of_run(const std::vector<TimingRow>& rows) {
  Json times = Json::object();
  const OverlapRow all = overlap_of(rows);
  for (const Column<OverlapRow>& column : columns<OverlapRow>()) {
    if (column.spec.name == "epoch") continue;
    times[column.spec.name] = std::get<double>(column.get(all));
  }
  times["worker_progress_core_share"] = most_of_a_core(rows, kWorkerRole);
  times["server_core_share"] = most_of_a_core(rows, kServerRole);
  return times;
}

Json object_of(const RunResult& result) {
  Json object = Json::object();
  for (const ResultField& field : result_fields()) {
    object[std::string(field.name)] =
        std::visit([&](auto member) { return Json(result.*member); }, field.member);
  }
  return object;
}

}  // namespace

std::string to_json(const RunSummary& run) {
  Json json;
  json["path"] = run.path;
  json["status"] = run.status;
  json["command_line"] = run.command_line;
  json["is_benchmark"] = run.is_benchmark;
  json["result"] = object_of(run.result);
  json["times"] = times_of_run(run.rows.timing);
  json["config"] = object_of(run.config);
  json["toml"] = run.toml;
  json["environment"] = object_of(run.environment);
  json["train"] = table_of(run.rows.train);
  json["eval"] = table_of(run.rows.eval);
  json["timing"] = table_of(run.rows.timing);
  json["overlap"] = table_of(run.rows.overlap);
  json["staleness"] = table_of(run.rows.staleness);
  json["weights"] = Json::object();
  for (const WeightArray& array : run.weights) json["weights"][array.name] = array.shape;
  json["weights_clock"] = run.weights_clock ? Json(*run.weights_clock) : Json(nullptr);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace odsgd
