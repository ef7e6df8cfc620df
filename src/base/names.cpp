#include "odsgd/base/names.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "odsgd/base/error.hpp"

namespace odsgd {

std::size_t place_of_name(const std::string& what, const std::vector<std::string>& names,
                          const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  ODSGD_REQUIRE(found != names.end(), "{}: got {}, want one of {}", what, name,
                fmt::join(names, ", "));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace odsgd
