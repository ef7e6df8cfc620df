#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/program.hpp"

namespace odsgd::test {

/// What a benchmark with --json has printed. Throws Error unless the program has succeeded, has
/// said nothing on stderr, and has printed one JSON object and nothing else, whose rows have names
/// of their own and finite numbers of 0 or more, and limits that are the medians of earlier rows.
class BenchReport {
 public:
  explicit BenchReport(const Outcome& outcome);

  Words names() const;  ///< of the rows, in order
  bool has(const std::string& name) const;
  std::string fact(const std::string& name) const;  ///< throws Error when there is none

  // Of the row of this name; throw Error when there is none.
  double median(const std::string& name) const;
  std::size_t samples(const std::string& name) const;
  std::string unit(const std::string& name) const;
  std::string limit(const std::string& name) const;  ///< its name; empty: none

 private:
  const nlohmann::json& row(const std::string& name) const;

  nlohmann::json report_;
};

}  // namespace odsgd::test
