#include "app/program.hpp"

#include <fstream>
#include <sstream>

#include "odsgd/base/error.hpp"

namespace odsgd::test {

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Words odsgd_command(const Words& arguments) { return Words{ODSGD_PROGRAM} + arguments; }

Words mpirun(int ranks, const Words& command) {
  return Words{ODSGD_MPIEXEC, ODSGD_MPIEXEC_NUMPROC, std::to_string(ranks)} + command;
}

Words train_in_process(int workers, const Words& options) {
  return odsgd_command(Words{"train", "--workers", std::to_string(workers)} + options);
}

Words train_over_mpi(int ranks, const Words& options) {
  return mpirun(ranks, odsgd_command(Words{"train"} + options));
}

std::vector<std::string> error_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("odsgd:")) lines.push_back(line);
  }
  return lines;
}

pid_t process_of_rank(const Process& launcher, int rank) {
  const std::string variable = fmt::format("OMPI_COMM_WORLD_RANK={}", rank);
  for (const pid_t child : launcher.children()) {
    std::ifstream in(fmt::format("/proc/{}/environ", child), std::ios::binary);
    for (std::string entry; std::getline(in, entry, '\0');) {
      if (entry == variable) return child;
    }
  }
  fail("rank {} is not running", rank);
}

}  // namespace odsgd::test
