#include <doctest/doctest.h>

#include <fstream>

#include "command_line.hpp"
#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "usage_error.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

TrainOptions parse(const std::vector<std::string>& arguments) {
  return std::get<TrainOptions>(parse_command_line(arguments));
}

/// Through a file, as --config reads it.
TrainOptions parse_toml(const std::string& toml, std::vector<std::string> more = {}) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("options.toml");
  std::ofstream(path) << toml;
  std::vector<std::string> arguments{"train", "--config", path};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return parse(arguments);
}

/// None at its default.
TrainOptions odd_options() {
  TrainOptions o;
  o.data = R"(C:\new\tiny "best" #1, [a] = 'b'; ü.h5)";
  o.output = "a\tb\nc/../ d ";
  o.model = "mlp";
  o.algorithm = "asgd";
  o.device = "synthetic";
  o.threads = 3;
  o.compute_ms = 0.3;
  o.compute_jitter = 12.5;
  o.exchange = "allreduce";
  o.servers = "colocated";
  o.workers = 7;
  o.message_kib = 1;
  o.server_threads = 5;
  o.push_dtype = "bfloat16";
  o.priority = "fifo";
  o.timeout = 0.25;
  o.batch_per_worker = 2147483647;
  o.epochs = 1;
  o.seed = 9223372036854775807;
  o.lr = 1e-30;
  o.label_smoothing = 0.1;
  o.preset = "paper";
  o.momentum = 0.1;
  o.weight_decay = 0.1 + 0.2;
  o.optimizer = "lars";
  o.lars_trust = 0.02;
  o.clip_value = 3;
  o.clip_norm = 1e-3;
  o.lr_schedule = "step";
  o.lr_steps = "1,2.5,80";
  o.lr_factor = 0.7;
  o.lr_power = 1.5;
  o.lr_warmup_steps = 11;
  o.lr_scaling = "linear";
  o.lr_base_batch = 8192;
  o.local_rule = "sgd";
  o.local_lr = 1e20;
  o.local_momentum = 0.0;
  o.local_lr_schedule = "poly";
  o.local_lr_steps = "3";
  o.local_lr_counts = "local-updates";
  o.local_scale = "global";
  o.warmup_steps = 3000000000;
  o.lambda = 0.5;
  o.lambda_rule = "constant";
  o.dc_reference = "prev-global";
  o.dc_decay = 0.25;
  o.staleness = 0;
  o.delay_steps = 7;
  o.glu_alpha = 1.5;
  o.glu_beta = 0.0;
  o.threshold = 1e-4;
  o.correction_steps = 1;
  o.local_steps = 100;
  o.outer_lr = 0.7;
  o.outer_momentum = 0.95;
  o.elastic_alpha = 0.125;
  o.log_every = 1;
  o.log_steps = 0;
  o.save_weights = false;
  o.trace = "d/e";
  o.progress = "off";
  o.inject_delay_us = 12;
  return o;
}

}  // namespace

TEST_CASE("options: written as TOML they are read back the same, odd names and numbers too") {
  const TrainOptions odd = odd_options();

  CHECK(parse_toml(to_toml(odd)) == odd);
}

TEST_CASE("options: what is not given stays out of the TOML, and is the same ever after") {
  TrainOptions options;
  options.data = "d";
  options.output = "o";
  options.lr = 0.3;

  const TrainOptions read = parse_toml(to_toml(options));

  CHECK(read == options);
  CHECK_FALSE(read.local_lr.has_value());
  CHECK(to_toml(read) == to_toml(options));
}

TEST_CASE("options: the command line wins over --config, and --config over the defaults") {
  const std::string toml = "data = \"d\"\noutput = \"o\"\nlr = 0.3\nepochs = 3\n";

  const TrainOptions options = parse_toml(toml, {"--epochs", "4"});

  CHECK(options.lr == 0.3);
  CHECK(options.epochs == 4);
  CHECK(options.momentum == TrainOptions().momentum);
}

TEST_CASE("options: every option of the command line is in the list that a log stores") {
  const auto help = std::get<ShowText>(parse_command_line({"train", "--help"})).text;
  std::string listed;
  for (const auto& [name, value] : list_options(odd_options()))
    listed += fmt::format(" --{} ", name);

  for (std::size_t at = help.find("  --"); at != std::string::npos;
       at = help.find("  --", at + 1)) {
    const std::string name = help.substr(at + 2, help.find_first_of(" \n", at + 2) - at - 2);
    CAPTURE(name);
    CHECK((name == "--config" || says(listed, fmt::format(" {} ", name))));
  }
}

TEST_CASE("options: an error in a --config file names file and line") {
  const auto text = [](const std::string& toml) {
    const std::string error = error_text([&] { parse_toml(toml); });
    return error.substr(error.rfind("options.toml"));
  };

  CHECK(says(text("\nlr = -1\n"), "options.toml:2: --lr: got -1, want a number above 0"));
  CHECK(says(text("help = true\n"), "options.toml:1: help is no option of odsgd train"));
  CHECK(says(text("config = \"x\"\n"), "options.toml:1: config is no option of odsgd train"));
}

TEST_CASE("options: an option twice in a --config file is an error, and the command line is not") {
  CHECK(says(error_text([] { parse_toml("lr = 1\nlr = 1\n"); }), "options.toml:2: "));
  const TrainOptions options =
      parse_toml("lr = 1\n", {"--lr", "2", "--data", "d", "--output", "o"});
  CHECK(options.lr == 2);
}

TEST_CASE("options: eval and info take theirs") {
  const auto eval = std::get<EvalOptions>(parse_command_line(
      {"eval", "run.h5", "--data", "d.h5", "--split", "train", "--batch", "7", "--json"}));
  const auto info = std::get<InfoOptions>(parse_command_line({"info", "x.h5"}));
  const auto trace = std::get<InfoOptions>(parse_command_line({"info", "--trace", "d", "--json"}));

  CHECK(eval.run == "run.h5");
  CHECK(eval.data == "d.h5");
  CHECK(eval.split == "train");
  CHECK(eval.batch == 7);
  CHECK(eval.json);
  CHECK(info.file == "x.h5");
  CHECK(info.trace == "");
  CHECK_FALSE(info.json);
  CHECK(trace.trace == "d");
  CHECK(trace.file == "");
  CHECK(trace.json);
}
