#include "odsgd/checkpoint/weights.hpp"

#include <set>
#include <string>

#include "odsgd/base/error.hpp"
#include "odsgd/h5/file.hpp"

namespace odsgd {
namespace {

constexpr const char* kGroup = "weights";
constexpr const char* kClock = "clock";

h5::Shape stored_shape(const Parameter& parameter) {
  return {parameter.shape.begin(), parameter.shape.end()};
}

void require_same_keys(const h5::Group& group, const ParameterLayout& layout) {
  std::set<std::string> surplus;
  for (const std::string& name : group.names()) surplus.insert(name);
  for (Key key = 0; key < layout.keys(); ++key) {
    ODSGD_REQUIRE(surplus.erase(layout[key].name) == 1,
                  "{}: has no array '{}', which the model has (another model?)",
                  group.location().text(), layout[key].name);
  }
  ODSGD_REQUIRE(surplus.empty(), "{}: has an array '{}', which the model has not (another model?)",
                group.location().text(), *surplus.begin());
}

}  // namespace

void write_weights(h5::Group& root, const ParameterLayout& layout, std::span<const float> weights,
                   Clock clock) {
  ODSGD_REQUIRE(weights.size() == layout.floats(), "{}: got {} weights to write, want {}",
                root.location().text(), weights.size(), layout.floats());
  h5::Group group = root.create_group(kGroup);
  group.set_attribute("description", std::string("global weights W at `clock`"));
  for (Key key = 0; key < layout.keys(); ++key) {
    group.write(layout[key].name, stored_shape(layout[key]), layout.slice(key, weights));
  }
  group.set_attribute(kClock, static_cast<std::uint64_t>(clock));
}

Clock read_weights(const std::string& path, const ParameterLayout& layout,
                   std::span<float> weights) {
  ODSGD_REQUIRE(weights.size() == layout.floats(), "{}: got room for {} weights, want {}", path,
                weights.size(), layout.floats());
  const h5::File file = h5::File::open_read(path);
  ODSGD_REQUIRE(file.has(kGroup), "{}: holds no weights: did the run end?", path);
  const h5::Group group = file.group(kGroup);
  ODSGD_REQUIRE(group.has_attribute(kClock), "{}: holds no complete weights: did the run end?",
                path);
  require_same_keys(group, layout);
  for (Key key = 0; key < layout.keys(); ++key) {
    const h5::Dataset dataset = group.dataset(layout[key].name);
    dataset.require_shape(stored_shape(layout[key]));
    dataset.read(layout.slice(key, weights));
  }
  return group.attribute_as<std::uint64_t>(kClock);
}

}  // namespace odsgd
