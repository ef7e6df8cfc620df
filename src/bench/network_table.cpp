#include "odsgd/bench/network_table.hpp"

#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "networks.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

struct NamedNetwork {
  const char* name;
  NetworkTable (*make)();
};

constexpr auto kNetworks = std::to_array<NamedNetwork>({{"alexnet", networks::alexnet},
                                                        {"vgg16", networks::vgg16},
                                                        {"resnet50", networks::resnet50},
                                                        {"lenet", networks::lenet}});

constexpr std::string_view kFlat = "flat:";
constexpr std::size_t kMostFloats = std::numeric_limits<int>::max();

/// What stands behind "flat:".
std::optional<std::size_t> flat_floats(std::string_view name) {
  if (!name.starts_with(kFlat)) return std::nullopt;
  name.remove_prefix(kFlat.size());
  std::size_t floats = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), floats);
  ODSGD_REQUIRE(error == std::errc{} && stop == name.data() + name.size(),
                "network {}: got '{}', want a number of floats", kFlat, name);
  return floats;
}

NetworkTable unscaled(const std::string& name) {
  for (const NamedNetwork& network : kNetworks) {
    if (name == network.name) return network.make();
  }
  if (const auto floats = flat_floats(name)) return flat_table(*floats);
  fail("network: got '{}', want one of: {}", name, fmt::join(network_table_names(), ", "));
}

}  // namespace

std::size_t NetworkTable::arrays() const {
  std::size_t sum = 0;
  for (const LayerSize& layer : layers) sum += layer.arrays.size();
  return sum;
}

std::size_t NetworkTable::floats() const {
  std::size_t sum = 0;
  for (const LayerSize& layer : layers) {
    for (const ArraySize& array : layer.arrays) sum += array.floats;
  }
  return sum;
}

double NetworkTable::forward_flops() const {
  double sum = 0;
  for (const LayerSize& layer : layers) sum += layer.forward_flops;
  return sum;
}

std::vector<std::string> network_table_names() {
  std::vector<std::string> names;
  names.reserve(kNetworks.size() + 1);
  for (const NamedNetwork& network : kNetworks) names.emplace_back(network.name);
  names.emplace_back("flat:FLOATS");
  return names;
}

NetworkTable find_network_table(const std::string& name, double scale) {
  return scaled(unscaled(name), scale);
}

NetworkTable flat_table(std::size_t floats) {
  ODSGD_REQUIRE(floats >= 1 && floats <= kMostFloats, "network {}: got {} floats, want 1 to {}",
                kFlat, floats, kMostFloats);
  // The operations of a fully connected layer with this one array.
  return {.name = fmt::format("{}{}", kFlat, floats),
          .layers = {{.name = "flat",
                      .arrays = {{"flat_weight", floats, true}},
                      .forward_flops = 2 * static_cast<double>(floats)}}};
}

NetworkTable scaled(NetworkTable table, double divisor) {
  ODSGD_REQUIRE(divisor >= 1 && std::isfinite(divisor),
                "network {}: got scale {}, want a number of 1 or more", table.name, divisor);
  if (divisor == 1) return table;
  for (LayerSize& layer : table.layers) {
    for (ArraySize& array : layer.arrays)
      array.floats =
          static_cast<std::size_t>(std::ceil(static_cast<double>(array.floats) / divisor));
  }
  table.name += fmt::format("/{}", divisor);
  return table;
}

ParameterLayout layout_of(const NetworkTable& table) {
  ParameterLayout layout;
  for (const LayerSize& layer : table.layers) {
    for (const ArraySize& array : layer.arrays) {
      ODSGD_REQUIRE(array.floats <= kMostFloats, "network {}: {}: got {} floats, want at most {}",
                    table.name, array.name, array.floats, kMostFloats);
      layout.add(array.name, {static_cast<int>(array.floats)}, array.decays);
    }
  }
  return layout;
}

}  // namespace odsgd
