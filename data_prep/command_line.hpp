#pragma once

#include <string>
#include <variant>
#include <vector>

#include "mnist.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd::prep {

/// Exit codes of the program.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,  ///< bad data, or reading or writing failed
  kUsage = 2,    ///< bad command line
};

/// The command line makes no sense; the text says what and where help is.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// --help or --version: print this and succeed.
struct ShowText {
  std::string text;
};

using Command = std::variant<ShowText, MnistOptions>;

/// Throws UsageError. `arguments` are without the program's name.
Command parse_command_line(std::vector<std::string> arguments);

}  // namespace odsgd::prep
