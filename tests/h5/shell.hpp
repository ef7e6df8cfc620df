#pragma once

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace odsgd::test {

struct ShellResult {
  int status = 0;  ///< as system() returns it; 0: success
  std::string output;
};

/// Runs a command line and collects stdout and stderr.
inline ShellResult shell(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error(command + ": cannot start");
  ShellResult result;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) result.output += buffer.data();
  result.status = pclose(pipe);
  return result;
}

/// Whether the command exists; tests of other programs' view of a file skip without them.
inline bool runs(const std::string& command) { return shell(command).status == 0; }

}  // namespace odsgd::test
