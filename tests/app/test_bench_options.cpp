#include <doctest/doctest.h>

#include <fstream>

#include "command_line.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "usage_error.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

BenchLimitsOptions parse_limits(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"bench", "limits"});
  return std::get<BenchLimitsOptions>(std::get<BenchOptions>(parse_command_line(arguments)));
}

/// The text of the UsageError; "no error" when there is none.
std::string usage_error(const std::vector<std::string>& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

std::string shown(const std::vector<std::string>& arguments) {
  return std::get<ShowText>(parse_command_line(arguments)).text;
}

}  // namespace

TEST_CASE("bench limits: options are read, from the command line and from --config") {
  const BenchLimitsOptions defaults = parse_limits({});
  CHECK(defaults.floats == 25'000'000);
  CHECK_FALSE(defaults.threads.has_value());
  CHECK(defaults.repetitions == 10);
  CHECK_FALSE(defaults.json);

  const BenchLimitsOptions given =
      parse_limits({"--floats", "4096", "--threads", "3", "--repetitions", "7", "--json"});
  CHECK(given.floats == 4096);
  CHECK(given.threads == 3);
  CHECK(given.repetitions == 7);
  CHECK(given.json);

  const TemporaryDirectory directory;
  std::ofstream(directory.file("limits.toml")) << "floats = 2048\nthreads = 5\n";
  const BenchLimitsOptions read =
      parse_limits({"--config", directory.file("limits.toml"), "--threads", "6"});
  CHECK(read.floats == 2048);
  CHECK(read.threads == 6);
}

TEST_CASE("bench ps and overlap: options are read, from the command line and from --config") {
  const auto ps = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"bench", "ps"});
    return std::get<BenchPsOptions>(std::get<BenchOptions>(parse_command_line(arguments)));
  };
  const BenchPsOptions defaults = ps({});
  CHECK(defaults.network == "resnet50");
  CHECK(defaults.servers == "1");
  CHECK_FALSE(defaults.workers.has_value());
  CHECK_FALSE(defaults.message_kib.has_value());
  CHECK(defaults.priority == "fifo");
  CHECK(defaults.rounds == 5);

  const TemporaryDirectory directory;
  std::ofstream(directory.file("ps.toml")) << "network = \"flat:1000\"\nservers = \"colocated\"\n"
                                           << "rounds = 7\nscale = 2.5\n";
  const BenchPsOptions given =
      ps({"--config", directory.file("ps.toml"), "--workers", "3", "--message-kib", "64",
          "--push-dtype", "float16", "--priority", "layer", "--server-threads", "2"});
  CHECK(given.network == "flat:1000");
  CHECK(given.servers == "colocated");
  CHECK(given.rounds == 7);
  CHECK(given.scale == 2.5);
  CHECK(given.workers == 3);
  CHECK(given.message_kib == 64);
  CHECK(given.push_dtype == "float16");
  CHECK(given.priority == "layer");
  CHECK(given.server_threads == 2);

  const auto overlap = std::get<BenchOverlapOptions>(std::get<BenchOptions>(
      parse_command_line({"bench", "overlap", "--compute-ms", "12.5", "--compute-jitter", "20",
                          "--straggler", "2", "--steps", "9", "--warmup-steps", "4"})));
  CHECK(overlap.compute_ms == 12.5);
  CHECK(overlap.compute_jitter == 20);
  CHECK(overlap.straggler == 2);
  CHECK(overlap.steps == 9);
  CHECK(overlap.warmup_steps == 4);
  CHECK(overlap.priority == "layer");
}

TEST_CASE("bench ps and overlap: what cannot be is a usage error that names the option") {
  CHECK(says(usage_error({"bench", "ps", "--scale", "0.5"}), "--scale: got 0.5, want"));
  CHECK(says(usage_error({"bench", "ps", "--servers", "none"}), "--servers: got none, want"));
  CHECK(says(usage_error({"bench", "ps", "--ratio", "1"}), "--ratio: is no option"));
  CHECK(says(usage_error({"bench", "overlap", "--straggler", "0"}), "--straggler: got 0, want"));
  CHECK(says(usage_error({"bench", "overlap", "--compute-jitter", "101"}),
             "--compute-jitter: got 101, want"));
  CHECK(says(usage_error({"bench", "overlap", "--ratio", "1", "--compute-ms", "2"}), "--ratio"));
}

TEST_CASE("bench: what there is not to measure is a usage error that lists what there is") {
  CHECK(usage_error({"bench"}) ==
        "bench: got nothing, want one of: limits, ps, overlap (see odsgd bench --help)");
  CHECK(usage_error({"bench", "limit"}) ==
        "bench: got limit, want one of: limits, ps, overlap (see odsgd bench --help)");
  CHECK(usage_error({"bench", "--json", "limits"}) ==
        "bench: got --json, want one of: limits, ps, overlap (see odsgd bench --help)");
}

TEST_CASE("bench limits: what cannot be is a usage error that names the option") {
  const std::string see = " (see odsgd bench limits --help)";
  CHECK(usage_error({"bench", "limits", "--floats", "1023"}) ==
        "--floats: got 1023, want a whole number from 1024 to 17179869184" + see);
  CHECK(usage_error({"bench", "limits", "--threads", "0"}) ==
        "--threads: got 0, want a whole number from 1 to 1024" + see);
  CHECK(usage_error({"bench", "limits", "--repetitions", "x"}) ==
        "--repetitions: got x, want a whole number from 1 to 100000" + see);
  CHECK(usage_error({"bench", "limits", "--lr", "1"}) == "--lr: is no option" + see);
}

TEST_CASE("bench: the help of the program leads to that of each benchmark") {
  CHECK(says(shown({"--help"}), "  bench "));
  CHECK(says(shown({"bench", "--help"}), "  limits "));
  CHECK(shown({"bench", "-h"}) == shown({"bench", "--help"}));
  for (const char* option : {"--floats", "--threads", "--repetitions", "--json", "--config"})
    CHECK(says(shown({"bench", "limits", "--help"}), option));
}
