#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>

#include "odsgd/base/error.hpp"

namespace odsgd::prep {
namespace {

namespace fs = std::filesystem;

fs::path directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

/// Forces a file's content, or a directory's entries, to the disk.
void sync(const fs::path& path, int flags) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  ODSGD_REQUIRE(descriptor >= 0, "{}: cannot open: {}", path.string(), std::strerror(errno));
  // EINVAL: a file system that cannot sync this kind of file
  const bool is_done = fsync(descriptor) == 0 || errno == EINVAL;
  const int reason = errno;
  close(descriptor);
  ODSGD_REQUIRE(is_done, "{}: cannot force it to the disk: {}", path.string(),
                std::strerror(reason));
}

[[noreturn]] void fail_existing(const std::string& path) {
  fail("{}: exists already, want a new file (--force replaces it)", path);
}

void rename_over(const std::string& from, const std::string& to) {
  ODSGD_REQUIRE(rename(from.c_str(), to.c_str()) == 0, "{}: cannot be renamed to {}: {}", from, to,
                std::strerror(errno));
}

/// Renames, and fails when `to` exists: unlike rename(), link() never replaces.
void rename_to_new(const std::string& from, const std::string& to) {
  if (link(from.c_str(), to.c_str()) == 0) {
    unlink(from.c_str());
    return;
  }
  if (errno == EEXIST) fail_existing(to);
  ODSGD_REQUIRE(errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK,
                "{}: cannot be renamed to {}: {}", from, to, std::strerror(errno));
  std::error_code none;  // no hard links here: the next best is to look first
  if (fs::exists(fs::symlink_status(to, none))) fail_existing(to);
  rename_over(from, to);
}

}  // namespace

void check_output(const std::string& path, Existing existing) {
  std::error_code error;
  ODSGD_REQUIRE(!path.empty(), "output: got an empty name, want a file");
  const fs::file_status status = fs::symlink_status(path, error);
  ODSGD_REQUIRE(!fs::is_directory(fs::status(path, error)) && fs::path(path).has_filename(),
                "{}: names a directory, want a file (e.g. {})", path,
                (fs::path(path) / "data.h5").string());
  const fs::path directory = directory_of(path);
  ODSGD_REQUIRE(fs::exists(directory, error), "{}: directory {} is missing (create it first)", path,
                directory.string());
  ODSGD_REQUIRE(fs::is_directory(directory, error), "{}: {} is not a directory", path,
                directory.string());
  ODSGD_REQUIRE(access(directory.c_str(), W_OK | X_OK) == 0, "{}: cannot write in {}: {}", path,
                directory.string(), std::strerror(errno));
  if (!fs::exists(status)) return;
  if (existing == Existing::kKeep) fail_existing(path);
  ODSGD_REQUIRE(fs::is_regular_file(status),
                "{}: is not a regular file (--force replaces only such)", path);
}

OutputFile::OutputFile(std::string path, Existing existing)
    : path_(std::move(path)),
      temporary_(fmt::format("{}.partial-{:08x}", path_, std::random_device()())),
      existing_(existing) {
  check_output(path_, existing_);
}

OutputFile::~OutputFile() {
  if (!is_committed_) unlink(temporary_.c_str());
}

void OutputFile::commit() {
  sync(temporary_, 0);
  throw_if_stopped();
  if (existing_ == Existing::kReplace) {
    rename_over(temporary_, path_);
  } else {
    rename_to_new(temporary_, path_);
  }
  is_committed_ = true;
  try {
    sync(directory_of(path_), O_DIRECTORY);
  } catch (const Error&) {
    // A new file that may be gone after a crash is not there; but where one was replaced, the new
    // one is all that is left.
    if (existing_ != Existing::kReplace) unlink(path_.c_str());
    throw;
  }
  signals_.forget();
}

}  // namespace odsgd::prep
