#include "odsgd/algorithms/registry.hpp"

#include "odsgd/base/names.hpp"

namespace odsgd {

#define ODSGD_RULE(rule) Algorithm rule();
#include "rules.def"
#undef ODSGD_RULE

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> table{
#define ODSGD_RULE(rule) rule(),
#include "rules.def"
#undef ODSGD_RULE
  };
  return table;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}

const Algorithm& find_algorithm(const std::string& name) {
  return algorithms()[place_of_name("algorithm", algorithm_names(), name)];
}

}  // namespace odsgd
