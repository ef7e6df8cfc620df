#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "command_line.hpp"
#include "eval.hpp"
#include "info.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/transport/mpi.hpp"
#include "train.hpp"

namespace odsgd {
namespace {

int run_command(const Command& command, const Launch& launch) {
  if (const auto* options = std::get_if<TrainOptions>(&command)) {
    return launch.under_launcher ? train_over_mpi(*options) : train_in_process(*options);
  }
  // What is not training is done once, however many processes a launcher has started.
  if (launch.rank != 0) return kSuccess;
  if (const auto* show = std::get_if<ShowText>(&command)) std::fputs(show->text.c_str(), stdout);
  if (const auto* options = std::get_if<EvalOptions>(&command)) evaluate_run(*options);
  if (const auto* options = std::get_if<InfoOptions>(&command)) show_file(*options);
  return kSuccess;
}

}  // namespace

int run_program(int argc, char** argv) {
  const Launch launch = launch_from_environment();
  try {
    return run_command(parse_command_line({argv + 1, argv + argc}), launch);
  } catch (const UsageError& error) {
    if (launch.under_launcher) return train_over_mpi(error);
    std::fprintf(stderr, "odsgd: %s\n", error.what());
    return kUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "odsgd: %s\n", error.what());
    return kFailure;
  }
}

}  // namespace odsgd
