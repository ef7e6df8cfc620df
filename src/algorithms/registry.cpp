#include "odsgd/algorithms/registry.hpp"

#include "odsgd/base/names.hpp"
#include "rules.hpp"

namespace odsgd {

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> table{
      {"ssgd", "synchronous SGD: every step waits for the mean of all workers' gradients", true,
       false, make_ssgd_worker, make_sync_server},
      {"asgd", "asynchronous SGD: the servers apply each gradient as it comes", false, false,
       make_asgd_worker, make_async_server},
      {"od-sgd", "one-step-delay SGD: synchronous on the servers, no waiting in the workers", true,
       true, make_od_sgd_worker, make_sync_server},
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

const std::vector<std::string>& local_rule_names() {
  static const std::vector<std::string> names{"none", "sgd", "mc"};
  return names;
}

LocalRule local_rule_of(const std::string& name) {
  return static_cast<LocalRule>(place_of_name("local rule", local_rule_names(), name));
}

}  // namespace odsgd
