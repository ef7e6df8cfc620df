#include "odsgd/base/parameter_layout.hpp"

#include <algorithm>

#include "odsgd/base/error.hpp"

namespace odsgd {

Key ParameterLayout::add(std::string name, std::vector<int> shape, bool decays) {
  ODSGD_REQUIRE(!shape.empty(), "parameter {}: got no dimensions, want at least one", name);
  ODSGD_REQUIRE(std::none_of(parameters_.begin(), parameters_.end(),
                             [&](const Parameter& p) { return p.name == name; }),
                "parameter {}: the name is used twice", name);
  std::size_t count = 1;
  for (const int extent : shape) {
    ODSGD_REQUIRE(extent > 0, "parameter {}: got extent {}, want 1 or more", name, extent);
    count *= static_cast<std::size_t>(extent);
  }
  parameters_.push_back({std::move(name), std::move(shape), floats_, count, decays});
  floats_ += count;
  return static_cast<Key>(parameters_.size() - 1);
}

}  // namespace odsgd
