#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

#include "odsgd/algorithms/registry.hpp"
#include "odsgd/algorithms/settings.hpp"
#include "odsgd/compute/backend.hpp"
#include "odsgd/nn/model.hpp"
#include "parse_arguments.hpp"
#include "usage_error.hpp"
#include "validators.hpp"
#include "version.hpp"

namespace odsgd {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<int>::max();

void add_train_options(CLI::App& app, TrainOptions& o) {
  app.add_option("--data", o.data, "Data file, packed by odsgd-prep")
      ->required()
      ->check(not_empty("a file"))
      ->group("Files");
  app.add_option("--output", o.output, "Directory to create for the run's log, run.h5")
      ->required()
      ->check(not_empty("a directory to create"))
      ->group("Files");
  app.add_option("--log-every", o.log_every, "Steps between rows of the training log")
      ->check(whole_number(1, kMost))
      ->capture_default_str()
      ->group("Files");
  app.add_option("--save-weights", o.save_weights, "Whether the log keeps the final global weights")
      ->check(one_of({"true", "false"}))
      ->capture_default_str()
      ->group("Files");
  app.add_option("--progress", o.progress, "Progress bar; auto: on a terminal")
      ->check(one_of({"auto", "on", "off"}))
      ->capture_default_str()
      ->group("Files");

  app.add_option("--model", o.model, "Network")
      ->check(one_of(model_names()))
      ->capture_default_str()
      ->group("Training");
  app.add_option("--algorithm", o.algorithm, "Update rule")
      ->check(one_of(algorithm_names()))
      ->capture_default_str()
      ->group("Training");
  app.add_option("--epochs", o.epochs, "Passes over the training set")
      ->check(whole_number(1, kMost))
      ->capture_default_str()
      ->group("Training");
  app.add_option("--batch-per-worker", o.batch_per_worker,
                 "Samples of one worker's step; times the workers: the global batch")
      ->check(whole_number(1, kMost))
      ->capture_default_str()
      ->group("Training");
  app.add_option("--lr", o.lr, "Learning rate of the servers' step, for the mean gradient")
      ->check(positive())
      ->capture_default_str()
      ->group("Training");
  app.add_option("--momentum", o.momentum,
                 "Momentum of the servers' step: V = momentum V - lr (g + decay W)")
      ->check(below_one())
      ->capture_default_str()
      ->group("Training");
  app.add_option("--weight-decay", o.weight_decay, "Weight decay, on weights and not on biases")
      ->check(at_least(0))
      ->capture_default_str()
      ->group("Training");
  app.add_option("--seed", o.seed, "Of initial weights and sample order")
      ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str()
      ->group("Training");

  app.add_option("--local-rule", o.local_rule,
                 "Local update: none: delay alone; sgd: momentum SGD; mc: the servers' step, "
                 "predicted with the worker's own gradient")
      ->check(one_of(local_rule_names()))
      ->capture_default_str()
      ->group("OD-SGD");
  app.add_option("--local-lr", o.local_lr, "Learning rate of the local update [default: --lr]")
      ->check(at_least(0))
      ->group("OD-SGD");
  app.add_option("--local-momentum", o.local_momentum,
                 "Momentum of the local rule sgd [default: --momentum]")
      ->check(below_one())
      ->group("OD-SGD");
  app.add_option("--warmup-steps", o.warmup_steps, "First steps that run as SSGD")
      ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str()
      ->group("OD-SGD");

  app.add_option("--servers", o.servers,
                 "Dedicated server ranks, or colocated: a shard on every worker")
      ->check(whole_number_or(65536, "colocated"))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--workers", o.workers,
                 "Workers, as threads of this process, when no launcher (mpirun, srun) started it")
      ->check(whole_number(1, 4096))
      ->group("Ranks");
  app.add_option("--device", o.device, "What the workers compute on")
      ->check(one_of(backend_names()))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--threads", o.threads, "Computing threads per worker")
      ->check(whole_number(1, 1024))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--message-kib", o.message_kib, "Longest message, in KiB")
      ->check(whole_number(1, 1048576))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--timeout", o.timeout,
                 "Seconds of silence after which a wait for another rank is an error")
      ->check(positive_up_to(1e6))
      ->capture_default_str()
      ->group("Ranks");
  app.add_option("--inject-delay-us", o.inject_delay_us,
                 "For tests: deliver each message up to so many microseconds late, at random")
      ->check(whole_number(0, kMost))
      ->capture_default_str()
      ->group("Ranks");
}

void add_eval_options(CLI::App& app, EvalOptions& o) {
  app.add_option("run", o.run, "run.h5 of a finished run: its global weights are evaluated")
      ->required();
  app.add_option("--data", o.data, "Data file, packed by odsgd-prep")->required();
  app.add_option("--model", o.model, "Network [default: the run's]")->check(one_of(model_names()));
  app.add_option("--split", o.split, "Part of the data")
      ->check(one_of({"train", "test"}))
      ->capture_default_str();
  app.add_option("--batch", o.batch, "Samples at once")
      ->check(whole_number(1, kMost))
      ->capture_default_str();
  app.add_option("--device", o.device, "What computes")
      ->check(one_of(backend_names()))
      ->capture_default_str();
  app.add_option("--threads", o.threads, "Computing threads")
      ->check(whole_number(1, 1024))
      ->capture_default_str();
  app.add_flag("--json", o.json, "Print one JSON object");
}

void add_info_options(CLI::App& app, InfoOptions& o) {
  app.add_option("file", o.file, "A data file of odsgd-prep, or a run's run.h5")->required();
  app.add_option("--model", o.model, "Describe this network on the data file instead")
      ->check(one_of(model_names()));
  app.add_flag("--json", o.json, "Print one JSON object");
}

struct SubCommand {
  const char* name;
  const char* summary;
};
constexpr SubCommand kTrain{"train", "Train a network, data-parallel, with parameter servers"};
constexpr SubCommand kEval{"eval", "Evaluate the weights of a finished run"};
constexpr SubCommand kInfo{"info", "Tell what is in a data file or a run's log"};
constexpr SubCommand kBench{"bench", kBenchSummary};

/// Parses the arguments behind the sub-command's name into `options`.
template <class Options>
Command parse_with(const SubCommand& command, std::vector<std::string> arguments,
                   void (*add_options)(CLI::App&, Options&)) {
  CLI::App app(command.summary, fmt::format("odsgd {}", command.name));
  Options options;
  add_options(app, options);
  if (auto help = parse_arguments(app, std::move(arguments))) return ShowText{std::move(*help)};
  return options;
}

std::string overview() {
  CLI::App app("Data-parallel training with one-step-delay SGD over MPI", "odsgd");
  app.set_version_flag("--version", kVersion, "Print the version and exit");
  for (const SubCommand& command : {kTrain, kEval, kInfo, kBench})
    app.add_subcommand(command.name, command.summary);
  app.require_subcommand(1);
  app.footer("odsgd COMMAND --help tells a command's options.");
  return app.help();
}

}  // namespace

Command parse_command_line(const std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? "" : arguments.front();
  std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  if (first == "train") return parse_with<TrainOptions>(kTrain, std::move(rest), add_train_options);
  if (first == "eval") return parse_with<EvalOptions>(kEval, std::move(rest), add_eval_options);
  if (first == "info") return parse_with<InfoOptions>(kInfo, std::move(rest), add_info_options);
  if (first == "bench") return parse_bench(std::move(rest));
  if (first == "--help" || first == "-h" || first == "help") return ShowText{overview()};
  if (first == "--version") return ShowText{fmt::format("odsgd {}\n", kVersion)};
  throw UsageError(
      fmt::format("command: got {}, want train, eval, info or bench (see odsgd --help)",
                  first.empty() ? "nothing" : first));
}

}  // namespace odsgd
