#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "odsgd/bench/samples.hpp"

namespace odsgd {

/// What a benchmark has found: named rows of numbers with units, some of them beside the limit that
/// they are held against.
class Report {
 public:
  explicit Report(std::string title) : title_(std::move(title)) {}

  /// Something that was not measured: the machine, a size.
  void add_fact(std::string name, std::string value);

  /// A measurement, or with one value a result of a formula. `limit` is the name of an earlier row
  /// with the same unit; the ratio of the medians is shown beside it. Throws Error when there is no
  /// such row, the name was used before, or there are no samples.
  void add(std::string name, Samples samples, std::string unit, const std::string& limit = "");
  void add(std::string name, double value, std::string unit, const std::string& limit = "");

  /// Aligned lines: title, facts, rows.
  std::string text() const;

  /// One object: title, facts {name: value}, rows [{name, unit, median, min, max, samples,
  /// limit: {name, median, ratio} or null}]. What is not finite is null.
  std::string json() const;

 private:
  struct Row {
    std::string name;
    Samples samples;
    std::string unit;
    std::optional<std::size_t> limit;  // which row

    bool is_measured() const { return samples.values.size() > 1; }
  };

  const Row* limit_of(const Row& row) const { return row.limit ? &rows_[*row.limit] : nullptr; }
  std::string row_text(const Row& row, std::size_t name_width) const;

  std::string title_;
  std::vector<std::pair<std::string, std::string>> facts_;
  std::vector<Row> rows_;
};

}  // namespace odsgd
