#include "eval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "evaluate.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/checkpoint/weights.hpp"
#include "odsgd/compute/backend.hpp"
#include "odsgd/nn/model.hpp"
#include "odsgd/record/run_summary.hpp"

namespace odsgd {
namespace {

std::string model_of(const RunSummary& run) {
  const auto found = std::find_if(run.config.begin(), run.config.end(),
                                  [](const auto& option) { return option.first == "model"; });
  const auto* name = found == run.config.end() ? nullptr : std::get_if<std::string>(&found->second);
  ODSGD_REQUIRE(name != nullptr, "{}: names no model (say --model)", run.path);
  return *name;
}

}  // namespace

void evaluate_run(const EvalOptions& options) {
  const RunSummary run = read_run(options.run);
  ODSGD_REQUIRE(!run.is_benchmark, "{}: got a run without weights, want a training ({})",
                options.run, kBenchmarkNote);
  const std::string name = options.model.empty() ? model_of(run) : options.model;
  const ModelSpec& model = find_model(name);
  const Dataset data = Dataset::load(options.data);
  const DatasetInfo& info = data.info();
  const InputShape input{info.channels, info.height, info.width};
  const ParameterLayout layout = layout_of(model, input, info.classes());
  std::vector<float> weights(layout.floats());
  const Clock clock = read_weights(options.run, layout, weights);

  const auto backend = make_backend({.name = options.device, .threads = options.threads});
  const Split split = options.split == "train" ? data.train() : data.test();
  const auto batch = std::min(static_cast<std::size_t>(options.batch), split.count);
  Network network(model, input, info.classes(), static_cast<int>(batch), *backend);
  const EvaluationSums sums = evaluate(network, info, split, weights, {0, split.count});

  const auto samples = static_cast<double>(sums.samples);
  const double loss = sums.loss / samples;
  const double top1 = static_cast<double>(sums.top1) / samples;
  const double top5 = static_cast<double>(sums.top5) / samples;
  if (options.json) {
    const nlohmann::json result{
        {"run", options.run}, {"data", options.data}, {"split", options.split},
        {"model", name},      {"clock", clock},       {"samples", sums.samples},
        {"loss", loss},       {"top1", top1},         {"top5", top5}};
    fmt::print("{}\n", result.dump(2));
    return;
  }
  fmt::print("{}: {} after {} steps, on the {} {} samples of {}\n", options.run, name, clock,
             sums.samples, options.split, info.name);
  fmt::print("  loss {:.6f}   top-1 {:.2f} %   top-5 {:.2f} %\n", loss, 100 * top1, 100 * top5);
}

}  // namespace odsgd
