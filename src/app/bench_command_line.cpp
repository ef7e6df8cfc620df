#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "odsgd/bench/network_table.hpp"
#include "odsgd/ps/codec.hpp"
#include "odsgd/ps/protocol.hpp"
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

void add_exchange_options(CLI::App& app, BenchExchangeOptions& o) {
  app.add_option("--network", o.network,
                 fmt::format("Key sizes: {}", fmt::join(network_table_names(), ", ")))
      ->capture_default_str();
  app.add_option("--scale", o.scale, "Divide every array by this, so that it fits a slow link")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--servers", o.servers,
                 "Dedicated server ranks, or colocated: a shard on every worker")
      ->check(whole_number_or(65536, "colocated"))
      ->capture_default_str();
  app.add_option("--workers", o.workers,
                 "Workers, as threads of this process, when no launcher (mpirun, srun) started it")
      ->check(whole_number(1, 4096));
  app.add_option("--server-threads", o.server_threads, "Updating threads per server")
      ->check(whole_number(1, 1024))
      ->capture_default_str();
  app.add_option("--message-kib", o.message_kib,
                 "Longest message, in KiB [default: 1024 when all ranks are on one host, else 256]")
      ->check(whole_number(1, 1048576));
  app.add_option("--push-dtype", o.push_dtype, "How gradients are written on the wire")
      ->check(one_of(codec_names()))
      ->capture_default_str();
  app.add_option("--priority", o.priority, "What goes first on a busy way")
      ->check(one_of(priority_names()))
      ->capture_default_str();
  app.add_option("--timeout", o.timeout,
                 "Seconds within which a rank that has gone silent is an error")
      ->check(positive_up_to(1e6))
      ->capture_default_str();
  app.add_option("--warmup-steps", o.warmup_steps, "First steps, not measured")
      ->check(whole_number(1, 1000000))
      ->capture_default_str();
  app.add_option("--steps", o.steps, "Measured steps")
      ->check(whole_number(1, 1000000))
      ->capture_default_str();
  app.add_flag("--json", o.json, "Print one JSON object");
}

Command parse_ps(CLI::App& app, std::vector<std::string> arguments) {
  BenchPsOptions o;
  add_exchange_options(app, o);
  app.add_option("--rounds", o.rounds, "Rounds, each of the limits and of warm-up and steps")
      ->check(whole_number(1, 100000))
      ->capture_default_str();
  app.add_option("--repetitions", o.repetitions,
                 "Measurements of each limit in a round, after a warm-up")
      ->check(whole_number(1, 100000))
      ->capture_default_str();
  if (auto help = parse_arguments(app, std::move(arguments))) return ShowText{std::move(*help)};
  return o;
}

Command parse_overlap(CLI::App& app, std::vector<std::string> arguments) {
  BenchOverlapOptions o;
  add_exchange_options(app, o);
  auto* compute = app.add_option("--compute-ms", o.compute_ms, "Milliseconds that a step computes")
                      ->check(positive_up_to(1e6));
  app.add_option("--ratio", o.ratio,
                 "Communication / compute: the time of an exchange that nothing hides, which is "
                 "measured first, over that of computing")
      ->check(positive_up_to(1e6))
      ->excludes(compute)
      ->capture_default_str();
  app.add_option("--compute-jitter", o.compute_jitter,
                 "Percent by which a step is longer or shorter, at random, at most")
      ->check(from_to(0, 100))
      ->capture_default_str();
  app.add_option("--straggler", o.straggler, "The last worker computes so many times as long")
      ->check(at_least(1))
      ->capture_default_str();
  if (auto help = parse_arguments(app, std::move(arguments))) return ShowText{std::move(*help)};
  return o;
}

constexpr auto kBenchmarks = std::to_array<Benchmark>({
    {"limits", "Memory bandwidth: memcpy, STREAM's triad, a sum; the 2-bit codec beside them",
     parse_limits},
    {"ps", "Push and pull through the parameter server, beside the limits of the machine",
     parse_ps},
    {"overlap", "Step time and exposed communication of each algorithm, beside the model's",
     parse_overlap},
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
