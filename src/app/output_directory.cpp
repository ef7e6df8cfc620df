#include "output_directory.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

namespace fs = std::filesystem;

/// A trailing slash names the same directory.
fs::path clean(const std::string& path) {
  fs::path p = fs::path(path).lexically_normal();
  return p.has_filename() ? p : p.parent_path();
}

void require_new(const fs::path& path) {
  std::error_code error;
  ODSGD_REQUIRE(!fs::exists(fs::symlink_status(path, error)),
                "--output {}: exists already (a run never overwrites; choose another directory)",
                path.string());
}

}  // namespace

void check_output_directory(const std::string& path) {
  require_new(clean(path));
  require_writable("--output", path);
}

void require_writable(const std::string& option, const std::string& path) {
  fs::path place = fs::absolute(clean(path));
  std::error_code error;
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  ODSGD_REQUIRE(fs::is_directory(place, error), "{} {}: {} is not a directory", option, path,
                place.string());
  ODSGD_REQUIRE(access(place.c_str(), W_OK | X_OK) == 0, "{} {}: cannot write in {}: {}", option,
                path, place.string(), std::strerror(errno));
}

void create_output_directory(const std::string& path) {
  const fs::path wanted = clean(path);
  require_new(wanted);
  std::error_code error;
  if (wanted.has_parent_path()) fs::create_directories(wanted.parent_path(), error);
  const bool is_new = !error && fs::create_directory(wanted, error);
  ODSGD_REQUIRE(!error, "--output {}: cannot be created: {}", path, error.message());
  ODSGD_REQUIRE(is_new, "--output {}: another run has just created it (choose another directory)",
                path);
}

void discard_output_directory(const std::string& path, const std::vector<std::string>& files) {
  std::error_code ignored;
  for (const std::string& file : files) fs::remove(clean(path) / file, ignored);
  fs::remove(clean(path), ignored);
}

void write_text(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".part";
  std::error_code error;
  errno = 0;
  {
    std::ofstream out(unfinished);
    out << text;
    out.close();
    if (!out) error.assign(errno != 0 ? errno : EIO, std::generic_category());
  }
  if (!error) fs::rename(unfinished, path, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  fail("{}: cannot be written: {}", path, error.message());
}

}  // namespace odsgd
