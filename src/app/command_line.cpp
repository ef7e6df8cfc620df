#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

#include "odsgd/compute/backend.hpp"
#include "odsgd/nn/model.hpp"
#include "parse_arguments.hpp"
#include "train_command_line.hpp"
#include "usage_error.hpp"
#include "validators.hpp"
#include "version.hpp"

namespace odsgd {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<int>::max();

std::string computes(const std::string& device) {
  if (!is_pretend_device(device)) return "";
  return fmt::format("got {}, want a device that computes", device);
}

std::vector<std::string> computing_devices() {
  std::vector<std::string> names = backend_names();
  std::erase_if(names, is_pretend_device);
  return names;
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
      ->check(computes)
      ->check(one_of(computing_devices()))
      ->capture_default_str();
  app.add_option("--threads", o.threads, "Computing threads")
      ->check(whole_number(1, 1024))
      ->capture_default_str();
  app.add_flag("--json", o.json, "Print one JSON object");
}

void check_info_options(const InfoOptions& o) {
  if (o.file.empty() && o.trace.empty())
    throw CLI::ValidationError("file", "got nothing, want a data file, a run.h5, or --trace DIR");
  if (!o.file.empty() && !o.trace.empty())
    throw CLI::ValidationError("--trace",
                               fmt::format("got also the file {}, want one of the two", o.file));
  if (!o.model.empty() && !o.trace.empty())
    throw CLI::ValidationError("--model", "got also --trace, want it with a data file");
}

void add_info_options(CLI::App& app, InfoOptions& o) {
  app.add_option("file", o.file, "A data file of odsgd-prep, or a run's run.h5");
  app.add_option("--trace", o.trace,
                 "Instead of a file: directory with a run's traces, rank-*.json; joins them to "
                 "trace.json there")
      ->check(not_empty("a directory"));
  app.add_option("--model", o.model, "Describe this network on the data file instead")
      ->check(one_of(model_names()));
  app.add_flag("--json", o.json, "Print one JSON object");
  app.callback([&o] { check_info_options(o); });
}

struct SubCommand {
  const char* name;
  const char* summary;
};
constexpr SubCommand kTrain{"train", "Train a network, data-parallel, with parameter servers"};
constexpr SubCommand kEval{"eval", "Evaluate the weights of a finished run"};
constexpr SubCommand kInfo{"info", "Tell what is in a data file, a run's log or its traces"};
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
