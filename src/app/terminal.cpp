#include "terminal.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "odsgd/transport/mpi.hpp"

namespace odsgd {
namespace {

/// Where the parent process, the launcher on its own host, writes. Unknown where there is no /proc.
bool parent_writes_to_terminal() {
  std::error_code error;
  const auto target =
      std::filesystem::read_symlink("/proc/" + std::to_string(getppid()) + "/fd/1", error);
  if (error) return false;
  const std::string name = target.string();
  return name.starts_with("/dev/pts/") || name.starts_with("/dev/tty");
}

}  // namespace

bool draws_progress(const std::string& choice) {
  if (choice != "auto") return choice == "on";
  if (isatty(STDOUT_FILENO) == 0) return false;
  return !launch_from_environment().under_launcher || parent_writes_to_terminal();
}

}  // namespace odsgd
