#pragma once

#include <istream>
#include <string>
#include <vector>

namespace odsgd {

/// One `name = value` of a configuration file.
struct ConfigEntry {
  std::string name;
  std::string value;  ///< as it would stand on the command line
  int line = 0;       ///< counted from 1
};

/// Reads a TOML file of `name = value` lines, in the order of its lines. Throws UsageError, naming
/// file and line, for what is not TOML, and for values that are no option's: lists, tables, dates.
std::vector<ConfigEntry> read_config(std::istream& in, const std::string& file);

}  // namespace odsgd
