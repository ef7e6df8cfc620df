#pragma once

#include <string>

namespace odsgd {

/// The word as a shell reads it back: in single quotes unless it is plain.
std::string shell_quoted(const std::string& word);

}  // namespace odsgd
