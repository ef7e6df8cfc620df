#pragma once

#include <exception>
#include <string>

namespace odsgd {

/// What an exception says, for people; with a hint where the system refused memory or threads.
std::string text_of(const std::exception& error);

/// Prints `odsgd: text` on stderr, in one line whatever the text holds.
void print_error(std::string text);

}  // namespace odsgd
