#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace odsgd {

/// The place of a name in a list. Throws Error that says what the name is of, and lists all names.
std::size_t place_of_name(const std::string& what, const std::vector<std::string>& names,
                          const std::string& name);

}  // namespace odsgd
