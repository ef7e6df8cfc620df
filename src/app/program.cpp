#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "bench.hpp"
#include "command_line.hpp"
#include "error_text.hpp"
#include "eval.hpp"
#include "info.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/transport/mpi.hpp"
#include "train.hpp"

namespace odsgd {
namespace {

/// A standard stream that is closed would give its number to the next file that is opened, and what
/// is printed would go into that file.
void occupy_standard_streams() {
  for (const int stream : {0, 1, 2}) {
    if (fcntl(stream, F_GETFD) == -1) open("/dev/null", O_RDWR);
  }
}

void flush_stdout() {
  ODSGD_REQUIRE(std::fflush(stdout) == 0 && std::ferror(stdout) == 0,
                "stdout: cannot be written: {}", std::strerror(errno));
}

int run_command(const Command& command, const Launch& launch) {
  if (const auto* options = std::get_if<TrainOptions>(&command)) {
    // An interactive shell of srun is a launch of one rank: --workers still means threads there.
    const bool wants_threads = launch.size == 1 && options->workers;
    return launch.under_launcher && !wants_threads ? train_over_mpi(*options)
                                                   : train_in_process(*options);
  }
  if (const auto* options = std::get_if<BenchOptions>(&command)) return run_bench(*options, launch);
  // What is not training is done once, however many processes a launcher has started.
  if (launch.rank != 0) return kSuccess;
  if (const auto* show = std::get_if<ShowText>(&command)) std::fputs(show->text.c_str(), stdout);
  if (const auto* options = std::get_if<EvalOptions>(&command)) evaluate_run(*options);
  if (const auto* options = std::get_if<InfoOptions>(&command)) show_info(*options);
  flush_stdout();
  return kSuccess;
}

int run(const std::vector<std::string>& arguments) {
  const Launch launch = launch_from_environment();
  try {
    return run_command(parse_command_line(arguments), launch);
  } catch (const UsageError& error) {
    if (launch.under_launcher) return train_over_mpi(error);
    throw;
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  occupy_standard_streams();
  try {
    return run({argv + 1, argv + argc});
  } catch (const UsageError& error) {
    print_error(error.what());
    return kUsage;
  } catch (const std::exception& error) {
    print_error(text_of(error));
    return kFailure;
  }
}

}  // namespace odsgd
