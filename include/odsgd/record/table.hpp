#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "odsgd/h5/group.hpp"

namespace odsgd {

/// What stands in one column of a table.
struct ColumnSpec {
  enum class Type { kInteger, kReal };  ///< int64 or double

  std::string name;  ///< of the data set
  std::string units;
  std::string description;
  Type type = Type::kReal;
  bool is_measured = false;  ///< a time or what depends on times: differs between equal runs
  bool is_later = false;     ///< may be missing: reads as NaN or 0 then
};

using Cell = std::variant<std::int64_t, double>;

/// A group of equally long one-dimensional extendible data sets, one a column, each with the
/// attributes `units` and `description`.
///
/// Rows are appended column by column: a process killed meanwhile leaves data sets that differ by a
/// row, so readers take the shortest. Nothing is flushed here.
class Table {
 public:
  /// Creates the group `name` in `parent`.
  Table(h5::Group& parent, const std::string& name, const std::string& description,
        std::vector<ColumnSpec> columns);

  /// One cell a column, in their order and of their types.
  void append(std::span<const Cell> row);

  /// Many rows: one write a column.
  void append(const std::vector<std::vector<Cell>>& rows);

  /// Writes rows over the table's from the first on, and appends what goes beyond them.
  void overwrite(const std::vector<std::vector<Cell>>& rows);

 private:
  void require_fit(std::span<const Cell> row) const;

  std::string place_;
  std::vector<ColumnSpec> columns_;
  std::vector<h5::Dataset> datasets_;
  std::uint64_t rows_ = 0;
};

/// The rows that all columns of the table in `group` have. Throws Error when a column is missing or
/// has another type.
std::vector<std::vector<Cell>> read_table(const h5::Group& group,
                                          std::span<const ColumnSpec> columns);

}  // namespace odsgd
