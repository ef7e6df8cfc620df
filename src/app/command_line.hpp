#pragma once

#include <string>
#include <variant>
#include <vector>

#include "bench_options.hpp"
#include "options.hpp"

namespace odsgd {

/// Text to print on stdout, and nothing else to do: --help and --version.
struct ShowText {
  std::string text;
};

using Command = std::variant<ShowText, TrainOptions, EvalOptions, InfoOptions, BenchOptions>;

/// Reads the command line, without the program's name. Throws UsageError.
Command parse_command_line(const std::vector<std::string>& arguments);

/// Reads what stands behind `odsgd bench`. Throws UsageError.
Command parse_bench(std::vector<std::string> arguments);

}  // namespace odsgd
