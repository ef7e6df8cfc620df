#include <doctest/doctest.h>

#include <fstream>

#include "command_line.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "usage_error.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

template <class Options>
Options parse(const std::string& benchmark, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"bench", benchmark});
  return std::get<Options>(std::get<BenchOptions>(parse_command_line(arguments)));
}

BenchLimitsOptions parse_limits(const std::vector<std::string>& arguments) {
  return parse<BenchLimitsOptions>("limits", arguments);
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

TEST_CASE("bench ps, overlap: defaults of what they have in common, and of their own") {
  const auto check = [](const BenchExchangeOptions& o) {
    CHECK(o.network == "resnet50");
    CHECK(o.scale == 1);
    CHECK(o.servers == "1");
    CHECK_FALSE(o.workers.has_value());
    CHECK(o.server_threads == 1);
    CHECK_FALSE(o.message_kib.has_value());
    CHECK(o.push_dtype == "float32");
    CHECK(o.timeout == 60);
    CHECK(o.warmup_steps == 5);
    CHECK(o.steps == 20);
    CHECK_FALSE(o.json);
  };
  const auto ps = parse<BenchPsOptions>("ps", {});
  const auto overlap = parse<BenchOverlapOptions>("overlap", {});

  check(ps);
  CHECK(ps.rounds == 5);
  CHECK(ps.repetitions == 3);
  check(overlap);
  CHECK_FALSE(overlap.compute_ms.has_value());
  CHECK(overlap.ratio == 1);
  CHECK(overlap.compute_jitter == 0);
  CHECK(overlap.straggler == 1);
}

TEST_CASE("bench ps, overlap: every option is read from the command line") {
  const std::vector<std::string> common = {"--network",
                                           "vgg16",
                                           "--scale",
                                           "100",
                                           "--servers",
                                           "colocated",
                                           "--workers",
                                           "3",
                                           "--push-dtype",
                                           "bfloat16",
                                           "--server-threads",
                                           "2",
                                           "--priority",
                                           "layer",
                                           "--timeout",
                                           "7.5",
                                           "--message-kib",
                                           "64",
                                           "--steps",
                                           "9",
                                           "--warmup-steps",
                                           "4",
                                           "--json"};
  const auto with = [&](std::vector<std::string> own) {
    own.insert(own.end(), common.begin(), common.end());
    return own;
  };
  const auto check = [](const BenchExchangeOptions& o) {
    CHECK(o.network == "vgg16");
    CHECK(o.scale == 100);
    CHECK(o.servers == "colocated");
    CHECK(o.workers == 3);
    CHECK(o.server_threads == 2);
    CHECK(o.message_kib == 64);
    CHECK(o.push_dtype == "bfloat16");
    CHECK(o.priority == "layer");
    CHECK(o.timeout == 7.5);
    CHECK(o.warmup_steps == 4);
    CHECK(o.steps == 9);
    CHECK(o.json);
  };
  const auto ps = parse<BenchPsOptions>("ps", with({"--rounds", "2", "--repetitions", "8"}));
  const auto timed = parse<BenchOverlapOptions>(
      "overlap", with({"--compute-ms", "12.5", "--compute-jitter", "20", "--straggler", "2.5"}));

  check(ps);
  CHECK(ps.rounds == 2);
  CHECK(ps.repetitions == 8);
  check(timed);
  CHECK(timed.compute_ms == 12.5);
  CHECK(timed.compute_jitter == 20);
  CHECK(timed.straggler == 2.5);
  CHECK(parse<BenchOverlapOptions>("overlap", {"--ratio", "0.5"}).ratio == 0.5);
}

TEST_CASE("bench ps, overlap: options stand in --config, and the command line goes before it") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("exchange.toml");
  std::ofstream(file) << "network = \"alexnet\"\nscale = 40\nsteps = 3\n";
  for (const char* benchmark : {"ps", "overlap"}) {
    CAPTURE(benchmark);
    const std::vector<std::string> arguments = {"--config", file, "--steps", "6"};
    const auto check = [](const BenchExchangeOptions& o) {
      CHECK(o.network == "alexnet");
      CHECK(o.scale == 40);
      CHECK(o.steps == 6);
    };
    if (std::string(benchmark) == "ps") {
      check(parse<BenchPsOptions>(benchmark, arguments));
    } else {
      check(parse<BenchOverlapOptions>(benchmark, arguments));
    }
  }

  std::ofstream(directory.file("overlap.toml")) << "ratio = 2\ncompute-jitter = 10\n";
  const auto overlap =
      parse<BenchOverlapOptions>("overlap", {"--config", directory.file("overlap.toml")});
  CHECK(overlap.ratio == 2);
  CHECK(overlap.compute_jitter == 10);
  CHECK(says(usage_error({"bench", "ps", "--config", directory.file("overlap.toml")}), "ratio"));
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

TEST_CASE("bench ps, overlap: what cannot be is a usage error that names the option") {
  struct Mistake {
    const char* option;
    const char* value;
    const char* want;
  };
  const auto check = [](const std::string& benchmark, const std::vector<Mistake>& mistakes) {
    for (const auto& [option, value, want] : mistakes) {
      CHECK(usage_error({"bench", benchmark, option, value}) ==
            std::string(option) + ": got " + value + ", want " + want + " (see odsgd bench " +
                benchmark + " --help)");
    }
  };
  for (const char* benchmark : {"ps", "overlap"}) {
    check(benchmark, {{"--scale", "0.9", "1 or more"},
                      {"--servers", "0", "a whole number from 1 to 65536, or colocated"},
                      {"--workers", "0", "a whole number from 1 to 4096"},
                      {"--server-threads", "0", "a whole number from 1 to 1024"},
                      {"--message-kib", "0", "a whole number from 1 to 1048576"},
                      {"--push-dtype", "int8", "one of float32, bfloat16, float16"},
                      {"--priority", "last", "one of fifo, layer"},
                      {"--timeout", "0", "a number above 0, up to 1000000"},
                      {"--warmup-steps", "0", "a whole number from 1 to 1000000"},
                      {"--steps", "0", "a whole number from 1 to 1000000"}});
  }
  check("ps", {{"--rounds", "0", "a whole number from 1 to 100000"},
               {"--repetitions", "0", "a whole number from 1 to 100000"}});
  check("overlap", {{"--compute-ms", "0", "a number above 0, up to 1000000"},
                    {"--ratio", "0", "a number above 0, up to 1000000"},
                    {"--compute-jitter", "101", "a number from 0 to 100"},
                    {"--straggler", "0.5", "1 or more"}});
  CHECK(usage_error({"bench", "ps", "--ratio", "1"}) ==
        "--ratio: is no option (see odsgd bench ps --help)");
  CHECK(usage_error({"bench", "overlap", "--rounds", "1"}) ==
        "--rounds: is no option (see odsgd bench overlap --help)");
  CHECK(usage_error({"bench", "overlap", "--ratio", "1", "--compute-ms", "1"}) ==
        "--compute-ms excludes --ratio (see odsgd bench overlap --help)");
}

TEST_CASE("bench: the help of the program leads to that of each benchmark") {
  CHECK(says(shown({"--help"}), "  bench "));
  CHECK(says(shown({"bench", "--help"}), "  limits "));
  CHECK(shown({"bench", "-h"}) == shown({"bench", "--help"}));
  for (const char* option : {"--floats", "--threads", "--repetitions", "--json", "--config"})
    CHECK(says(shown({"bench", "limits", "--help"}), option));
}
