#pragma once

#include <CLI/CLI.hpp>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace odsgd {

/// Reads the file of --config for a command line: only its options may stand in it. Throws
/// UsageError, as read_config() does. The command line must outlive it.
class ConfigReader final : public CLI::Config {
 public:
  explicit ConfigReader(const CLI::App& app) : app_(app) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& in) const override;
  std::string to_config(const CLI::App*, bool, bool, std::string) const override { return {}; }

  /// The error text of an option, with file and line in front when that is where its value stands.
  std::string with_place(const std::string& error) const;

 private:
  const CLI::App& app_;
  mutable std::map<std::string, std::string> places_;  // "--lr": "run.toml:3", if used
};

}  // namespace odsgd
