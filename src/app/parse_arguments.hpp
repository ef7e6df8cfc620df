#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace odsgd {

/// Reads the arguments behind a sub-command's name, and the file of --config, which every
/// sub-command has, into the options that `app` was given. `app` has the sub-command's name, with
/// the program's in front. Returns the help text when --help asks for it. Throws UsageError.
std::optional<std::string> parse_arguments(CLI::App& app, std::vector<std::string> arguments);

}  // namespace odsgd
