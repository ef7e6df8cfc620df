#include "odsgd/record/table.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

/// Rows of one piece of a data set. A flush writes the last piece whole: 2 KiB.
constexpr std::uint64_t kChunkRows = 256;

h5::Type stored(ColumnSpec::Type type) {
  return type == ColumnSpec::Type::kInteger ? h5::Type::kInt64 : h5::Type::kDouble;
}

std::span<const std::int64_t> one(const std::int64_t& value) { return {&value, 1}; }
std::span<const double> one(const double& value) { return {&value, 1}; }

/// The first `rows` values of a column, put into cells[row][column].
template <class T>
void read_column(const h5::Dataset& dataset, std::uint64_t rows, std::size_t column,
                 std::vector<std::vector<Cell>>& cells) {
  std::vector<T> values(static_cast<std::size_t>(rows));
  dataset.read_rows(0, std::span<T>(values));
  for (std::size_t i = 0; i < values.size(); ++i) cells[i][column] = values[i];
}

template <class T>
void append_column(const std::vector<std::vector<Cell>>& rows, std::size_t column,
                   h5::Dataset& dataset) {
  std::vector<T> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(std::get<T>(row[column]));
  dataset.append(std::span<const T>(values));
}

/// What a column holds in a file that does not have it.
Cell missing(ColumnSpec::Type type) {
  if (type == ColumnSpec::Type::kInteger) return std::int64_t{0};
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Table::Table(h5::Group& parent, const std::string& name, const std::string& description,
             std::vector<ColumnSpec> columns)
    : columns_(std::move(columns)) {
  h5::Group group = parent.create_group(name);
  place_ = group.location().text();
  group.set_attribute("description", description);
  for (const ColumnSpec& column : columns_) {
    h5::Dataset dataset = group.create_extendible(column.name, stored(column.type), {}, kChunkRows);
    dataset.set_attribute("units", column.units);
    dataset.set_attribute("description", column.description);
    datasets_.push_back(std::move(dataset));
  }
}

void Table::append(std::span<const Cell> row) {
  require_fit(row);
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::visit([&](const auto& value) { datasets_[i].append(one(value)); }, row[i]);
  }
  ++rows_;
}

void Table::append(const std::vector<std::vector<Cell>>& rows) {
  for (const auto& row : rows) require_fit(row);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].type == ColumnSpec::Type::kInteger) {
      append_column<std::int64_t>(rows, i, datasets_[i]);
    } else {
      append_column<double>(rows, i, datasets_[i]);
    }
  }
  rows_ += rows.size();
}

void Table::overwrite(const std::vector<std::vector<Cell>>& rows) {
  const auto present = static_cast<std::size_t>(std::min<std::uint64_t>(rows.size(), rows_));
  for (std::size_t r = 0; r < present; ++r) {
    require_fit(rows[r]);
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      std::visit([&](const auto& value) { datasets_[i].write_rows(r, one(value)); }, rows[r][i]);
    }
  }
  for (std::size_t r = present; r < rows.size(); ++r) append(rows[r]);
}

void Table::require_fit(std::span<const Cell> row) const {
  ODSGD_REQUIRE(row.size() == columns_.size(), "{}: got a row of {} cells, want {}", place_,
                row.size(), columns_.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool is_integer = std::holds_alternative<std::int64_t>(row[i]);
    ODSGD_REQUIRE(is_integer == (columns_[i].type == ColumnSpec::Type::kInteger),
                  "{}/{}: got {}, want {}", place_, columns_[i].name,
                  is_integer ? "an integer" : "a real number", to_string(stored(columns_[i].type)));
  }
}

std::vector<std::vector<Cell>> read_table(const h5::Group& group,
                                          std::span<const ColumnSpec> columns) {
  std::vector<std::optional<h5::Dataset>> datasets;
  std::optional<std::uint64_t> shortest;
  for (const ColumnSpec& column : columns) {
    auto& dataset = datasets.emplace_back();
    if (column.is_later && !group.has(column.name)) continue;
    dataset = group.dataset(column.name);
    dataset->require_shape({0});
    shortest = std::min(shortest.value_or(dataset->rows()), dataset->rows());
  }
  const std::uint64_t rows = shortest.value_or(0);
  std::vector<Cell> empty;
  for (const ColumnSpec& column : columns) empty.push_back(missing(column.type));
  std::vector<std::vector<Cell>> cells(static_cast<std::size_t>(rows), empty);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!datasets[i]) continue;
    if (columns[i].type == ColumnSpec::Type::kInteger) {
      read_column<std::int64_t>(*datasets[i], rows, i, cells);
    } else {
      read_column<double>(*datasets[i], rows, i, cells);
    }
  }
  return cells;
}

}  // namespace odsgd
