#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "factories.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Backend> (*make)(int threads);
  bool built;
};

std::array<Entry, 2> table() {
  return {{{"cpu", make_cpu_backend, true}, {"cuda", make_cuda_backend, has_cuda()}}};
}

}  // namespace

std::unique_ptr<Backend> make_backend(const std::string& device, int threads) {
  ODSGD_REQUIRE(threads >= 1, "device {}: got {} threads, want 1 or more", device, threads);
  for (const Entry& entry : table()) {
    if (entry.name == device) return entry.make(threads);
  }
  fail("device: got '{}', want one of: {}", device, fmt::join(backend_names(), ", "));
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Entry& entry : table()) {
    if (entry.built) names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace odsgd
