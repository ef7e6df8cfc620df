#include "trace_directory.hpp"

#include <filesystem>
#include <system_error>

#include "odsgd/base/error.hpp"
#include "output_directory.hpp"

namespace odsgd {
namespace {

namespace fs = std::filesystem;

bool is_trace_of_rank(const fs::path& file) {
  return file.extension() == ".json" && file.filename().string().starts_with("rank-");
}

}  // namespace

void check_trace_directory(const std::string& path) {
  require_writable("--trace", path);
  std::error_code error;
  if (!fs::exists(path, error)) return;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    ODSGD_REQUIRE(!is_trace_of_rank(entry.path()),
                  "--trace {}: got {} of another run, want none (choose another directory)", path,
                  entry.path().filename().string());
  }
  ODSGD_REQUIRE(!error, "--trace {}: cannot be read: {}", path, error.message());
}

void create_trace_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  ODSGD_REQUIRE(!error && fs::is_directory(path, error), "--trace {}: cannot be created: {}", path,
                error.message());
}

}  // namespace odsgd
