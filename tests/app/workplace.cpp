#include "app/workplace.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/bad_inputs.hpp"

namespace odsgd::test {

Workplace::Workplace() { write_bad_inputs(path()); }

bool Workplace::has(const std::string& name) const { return std::filesystem::exists(file(name)); }

std::map<std::string, std::string> Workplace::contents() const {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path())) {
    const std::string name = entry.path().filename();
    if (name == "stdout.txt" || name == "stderr.txt") continue;
    std::string& content = all[entry.path()];
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    content.assign(std::istreambuf_iterator<char>(in), {});
  }
  return all;
}

}  // namespace odsgd::test
