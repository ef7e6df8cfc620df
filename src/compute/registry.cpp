#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "factories.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Backend> (*make)(const DeviceOptions& options);
  bool is_built;
  bool is_pretend;
};

std::array<Entry, 3> table() {
  using Options = DeviceOptions;
  return {{
      {"cpu", [](const Options& o) { return make_cpu_backend(o.threads); }, true, false},
      {"cuda", [](const Options& o) { return make_cuda_backend(o.threads); }, has_cuda(), false},
      {"synthetic", [](const Options& o) { return make_synthetic_backend(o, host_clock()); }, true,
       true},
  }};
}

}  // namespace

std::unique_ptr<Backend> make_backend(const DeviceOptions& options) {
  ODSGD_REQUIRE(options.threads >= 1, "device {}: got {} threads, want 1 or more", options.name,
                options.threads);
  for (const Entry& entry : table()) {
    if (entry.name == options.name) return entry.make(options);
  }
  fail("device: got '{}', want one of: {}", options.name, fmt::join(backend_names(), ", "));
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Entry& entry : table()) {
    if (entry.is_built) names.emplace_back(entry.name);
  }
  return names;
}

bool is_pretend_device(const std::string& name) {
  for (const Entry& entry : table()) {
    if (entry.name == name) return entry.is_pretend;
  }
  return false;
}

}  // namespace odsgd
