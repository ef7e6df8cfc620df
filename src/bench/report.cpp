#include "odsgd/bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

/// Four digits, of any size of number.
std::string number(double value) { return fmt::format("{:.4g}", value); }

}  // namespace

void Report::add_fact(std::string name, std::string value) {
  facts_.emplace_back(std::move(name), std::move(value));
}

void Report::add(std::string name, double value, std::string unit, const std::string& limit) {
  add(std::move(name), Samples{{value}}, std::move(unit), limit);
}

void Report::add(std::string name, Samples samples, std::string unit, const std::string& limit) {
  const auto find = [&](const std::string& wanted) {
    return std::find_if(rows_.begin(), rows_.end(),
                        [&](const Row& row) { return row.name == wanted; });
  };
  ODSGD_REQUIRE(find(name) == rows_.end(), "report: {}: the name is used twice", name);
  ODSGD_REQUIRE(!samples.values.empty(), "report: {}: got no values, want at least one", name);
  std::optional<std::size_t> limit_row;
  if (!limit.empty()) {
    const auto row = find(limit);
    ODSGD_REQUIRE(row != rows_.end(), "report: {}: got the limit '{}', want an earlier row", name,
                  limit);
    ODSGD_REQUIRE(row->unit == unit, "report: {}: got a limit in {}, want one in {}", name,
                  row->unit, unit);
    limit_row = static_cast<std::size_t>(row - rows_.begin());
  }
  rows_.push_back({std::move(name), std::move(samples), std::move(unit), limit_row});
}

std::string Report::row_text(const Row& row, std::size_t name_width) const {
  std::string spread;
  if (row.is_measured())
    spread = fmt::format("{} to {}", number(row.samples.min()), number(row.samples.max()));
  std::string line = fmt::format("  {:<{}}  {:>9} {:<6}  {:<20}", row.name, name_width,
                                 number(row.samples.median()), row.unit, spread);
  if (const Row* limit = limit_of(row)) {
    line += fmt::format("  {:.2f} of {} ({})", row.samples.median() / limit->samples.median(),
                        limit->name, number(limit->samples.median()));
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string Report::text() const {
  std::size_t name_width = 0;
  for (const auto& fact : facts_) name_width = std::max(name_width, fact.first.size());
  for (const Row& row : rows_) name_width = std::max(name_width, row.name.size());
  std::string text = title_ + "\n";
  for (const auto& [name, value] : facts_)
    text += fmt::format("  {:<{}}  {}\n", name, name_width, value);
  if (std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.is_measured(); }))
    text += fmt::format("  {:<{}}  {:>9} {:<6}  {}\n", "", name_width, "median", "", "min to max");
  for (const Row& row : rows_) text += row_text(row, name_width);
  return text;
}

std::string Report::json() const {
  using Json = nlohmann::ordered_json;
  Json json{{"title", title_}, {"facts", Json::object()}, {"rows", Json::array()}};
  for (const auto& [name, value] : facts_) json["facts"][name] = value;
  for (const Row& row : rows_) {
    Json object{
        {"name", row.name},         {"unit", row.unit},         {"median", row.samples.median()},
        {"min", row.samples.min()}, {"max", row.samples.max()}, {"samples", row.samples.values},
        {"limit", nullptr}};
    if (const Row* limit = limit_of(row)) {
      const double median = limit->samples.median();
      object["limit"] = {
          {"name", limit->name}, {"median", median}, {"ratio", row.samples.median() / median}};
    }
    json["rows"].push_back(std::move(object));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace odsgd
