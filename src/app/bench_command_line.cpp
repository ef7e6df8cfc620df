#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "parse_arguments.hpp"
#include "usage_error.hpp"
#include "validators.hpp"

namespace odsgd {
namespace {

/// One benchmark: `odsgd bench NAME`.
struct Benchmark {
  const char* name;
  const char* summary;
  Command (*parse)(CLI::App& app, std::vector<std::string> arguments);
};

Command parse_limits(CLI::App& app, std::vector<std::string> arguments) {
  BenchLimitsOptions o;
  app.add_option("--floats", o.floats, "Floats of each array; more than fit into the caches")
      ->check(whole_number(1024, std::int64_t{1} << 34))
      ->capture_default_str();
  app.add_option("--threads", o.threads,
                 "Threads to measure beside a single one [default: the processors allowed]")
      ->check(whole_number(1, 1024));
  app.add_option("--repetitions", o.repetitions, "Measurements of each limit, after a warm-up")
      ->check(whole_number(1, 100000))
      ->capture_default_str();
  app.add_flag("--json", o.json, "Print one JSON object");
  if (auto help = parse_arguments(app, std::move(arguments))) return ShowText{std::move(*help)};
  return o;
}

constexpr auto kBenchmarks = std::to_array<Benchmark>({
    {"limits", "Memory bandwidth: memcpy and STREAM's triad", parse_limits},
});

std::string names() {
  std::string list;
  for (const Benchmark& benchmark : kBenchmarks)
    list += (list.empty() ? "" : ", ") + std::string(benchmark.name);
  return list;
}

std::string overview() {
  CLI::App app(kBenchSummary, "odsgd bench");
  for (const Benchmark& benchmark : kBenchmarks)
    app.add_subcommand(benchmark.name, benchmark.summary);
  app.require_subcommand(1);
  app.footer("odsgd bench WHAT --help tells a benchmark's options.");
  return app.help();
}

}  // namespace

Command parse_bench(std::vector<std::string> arguments) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  if (what == "--help" || what == "-h" || what == "help") return ShowText{overview()};
  for (const Benchmark& benchmark : kBenchmarks) {
    if (what != benchmark.name) continue;
    CLI::App app(benchmark.summary, fmt::format("odsgd bench {}", benchmark.name));
    arguments.erase(arguments.begin());
    return benchmark.parse(app, std::move(arguments));
  }
  throw UsageError(fmt::format("bench: got {}, want one of: {} (see odsgd bench --help)",
                               what.empty() ? "nothing" : what, names()));
}

}  // namespace odsgd
