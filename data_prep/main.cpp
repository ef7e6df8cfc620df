#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "command_line.hpp"
#include "mnist.hpp"

namespace {

using namespace odsgd::prep;

void run(const ShowText& show) { fmt::print("{}", show.text); }

void run(const MnistOptions& options) {
  const MnistSummary packed = pack_mnist(options);
  fmt::print("{}: {} training and {} test images of {} x {}, {} classes, mean {:.6f}, std {:.6f}\n",
             options.output, packed.train_count, packed.test_count, packed.height, packed.width,
             options.class_names.size(), packed.mean, packed.std);
  fmt::print("look at it: odsgd info {}\n", options.output);
}

}  // namespace

int main(int argc, char** argv) {
  // Beyond a limit on file sizes, writing then fails like on a full disk, instead of a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    std::visit([](const auto& command) { run(command); },
               parse_command_line({argv + 1, argv + argc}));
    return kSuccess;
  } catch (const UsageError& error) {
    fmt::print(stderr, "odsgd-prep: {}\n", error.what());
    return kUsage;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "odsgd-prep: not enough memory for this data set\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "odsgd-prep: {}\n", error.what());
  }
  return kFailure;
}
