#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace odsgd {

/// What is wrong with the arguments of `app`, in one line that names the argument.
std::string text_of(const CLI::ParseError& error, const CLI::App& app);

}  // namespace odsgd
