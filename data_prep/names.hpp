#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace odsgd::prep {

/// Why `name` cannot name a data set or a class, or "": it must have visible characters, no control
/// characters, and be UTF-8.
std::string fault_of_name(std::string_view name);

/// Splits "a, b,c" at its commas; blanks around names are dropped. Throws Error, with `subject` at
/// the front, when a name is not fit or comes twice.
std::vector<std::string> split_names(std::string_view list, std::string_view subject);

}  // namespace odsgd::prep
