#include "odsgd/algorithms/settings.hpp"

#include "odsgd/base/names.hpp"

namespace odsgd {

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names{"sgd", "nesterov", "lars"};
  return names;
}

Optimizer optimizer_of(const std::string& name) {
  return static_cast<Optimizer>(place_of_name("optimizer", optimizer_names(), name));
}

const std::vector<std::string>& local_rule_names() {
  static const std::vector<std::string> names{"none",    "sgd", "dc-c", "dc-a",
                                              "dc-norm", "mc",  "glu"};
  return names;
}

LocalRule local_rule_of(const std::string& name) {
  return static_cast<LocalRule>(place_of_name("local rule", local_rule_names(), name));
}

const std::vector<std::string>& dc_reference_names() {
  static const std::vector<std::string> names{"prev-global", "compute"};
  return names;
}

DcReference dc_reference_of(const std::string& name) {
  return static_cast<DcReference>(place_of_name("dc reference", dc_reference_names(), name));
}

const std::vector<std::string>& local_scale_names() {
  static const std::vector<std::string> names{"worker", "global"};
  return names;
}

LocalScale local_scale_of(const std::string& name) {
  return static_cast<LocalScale>(place_of_name("local scale", local_scale_names(), name));
}

const std::vector<std::string>& lambda_rule_names() {
  static const std::vector<std::string> names{"constant", "adaptive"};
  return names;
}

LambdaRule lambda_rule_of(const std::string& name) {
  return static_cast<LambdaRule>(place_of_name("lambda rule", lambda_rule_names(), name));
}

}  // namespace odsgd
