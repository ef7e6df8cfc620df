#include "app/bench_report.hpp"

#include <cmath>
#include <map>

#include "odsgd/base/error.hpp"

namespace odsgd::test {
namespace {

using Json = nlohmann::json;

void require_number(const Json& row, const char* what) {
  const Json& value = row[what];  // what is not finite is printed as null
  ODSGD_REQUIRE(value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0,
                "row {}: got {} = {}, want a number of 0 or more", row["name"].dump(), what,
                value.dump());
}

/// The row, beside the medians of the rows before it.
void require_row(const Json& row, const std::map<std::string, double>& before) {
  const auto name = row["name"].get<std::string>();
  ODSGD_REQUIRE(!before.contains(name), "row {}: is there twice", name);
  for (const char* what : {"median", "min", "max"}) require_number(row, what);
  ODSGD_REQUIRE(row["min"] <= row["median"] && row["median"] <= row["max"],
                "row {}: got a median of {}, want one from {} to {}", name, row["median"].dump(),
                row["min"].dump(), row["max"].dump());
  const Json& limit = row["limit"];
  if (limit.is_null()) return;
  const auto found = before.find(limit["name"].get<std::string>());
  ODSGD_REQUIRE(found != before.end(), "row {}: got the limit {}, want an earlier row", name,
                limit["name"].dump());
  ODSGD_REQUIRE(limit["median"] == found->second, "row {}: got a limit of {}, want {}", name,
                limit["median"].dump(), found->second);
  const double ratio = row["median"].get<double>() / found->second;
  ODSGD_REQUIRE(std::abs(limit["ratio"].get<double>() / ratio - 1) < 1e-9,
                "row {}: got the ratio {}, want {}", name, limit["ratio"].dump(), ratio);
}

}  // namespace

BenchReport::BenchReport(const Outcome& outcome) {
  ODSGD_REQUIRE(outcome.exit_code == 0 && outcome.err.empty(), "benchmark: exit code {}: {}",
                outcome.exit_code, outcome.err);
  report_ = Json::parse(outcome.out, nullptr, false);
  ODSGD_REQUIRE(report_.is_object(), "benchmark: got {}, want one JSON object", outcome.out);
  std::map<std::string, double> medians;
  for (const Json& row : report_["rows"]) {
    require_row(row, medians);
    medians[row["name"].get<std::string>()] = row["median"].get<double>();
  }
}

Words BenchReport::names() const {
  Words names;
  for (const Json& row : report_["rows"]) names.push_back(row["name"].get<std::string>());
  return names;
}

bool BenchReport::has(const std::string& name) const {
  for (const Json& row : report_["rows"]) {
    if (row["name"] == name) return true;
  }
  return false;
}

const Json& BenchReport::row(const std::string& name) const {
  for (const Json& row : report_["rows"]) {
    if (row["name"] == name) return row;
  }
  fail("benchmark: got no row {}, want one in {}", name, report_.dump());
}

std::string BenchReport::fact(const std::string& name) const {
  const Json& facts = report_["facts"];
  ODSGD_REQUIRE(facts.contains(name), "benchmark: got no fact {}, want one in {}", name,
                facts.dump());
  return facts[name].get<std::string>();
}

double BenchReport::median(const std::string& name) const {
  return row(name)["median"].get<double>();
}

std::size_t BenchReport::samples(const std::string& name) const {
  return row(name)["samples"].size();
}

std::string BenchReport::unit(const std::string& name) const {
  return row(name)["unit"].get<std::string>();
}

std::string BenchReport::limit(const std::string& name) const {
  const Json& limit = row(name)["limit"];
  return limit.is_null() ? "" : limit["name"].get<std::string>();
}

}  // namespace odsgd::test
