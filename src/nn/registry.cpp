#include <fmt/ranges.h>

#include <array>

#include "models/models.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

const std::array<ModelSpec, 2>& table() {
  static const std::array<ModelSpec, 2> models = {models::lenet(), models::mlp()};
  return models;
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelSpec& model : table()) names.push_back(model.name);
  return names;
}

const ModelSpec& find_model(const std::string& name) {
  for (const ModelSpec& model : table()) {
    if (model.name == name) return model;
  }
  fail("model: got '{}', want one of: {}", name, fmt::join(model_names(), ", "));
}

}  // namespace odsgd
