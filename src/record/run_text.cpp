#include <fmt/format.h>

#include <algorithm>

#include "odsgd/record/overlap.hpp"
#include "odsgd/record/run_summary.hpp"
#include "text.hpp"
#include "timing_totals.hpp"

namespace odsgd {
namespace {

void add_values(const char* title, const KeyValues& values, std::string& text) {
  std::size_t width = 0;
  for (const auto& [name, value] : values) width = std::max(width, name.size());
  text += fmt::format("\n{}\n", title);
  for (const auto& [name, value] : values) {
    text += fmt::format("  {:<{}}  {}\n", name, width, attribute_text(value));
  }
}

void add_evaluations(const std::vector<EvalRow>& rows, std::string& text) {
  text += "\nevaluations of the global weights on the test set\n";
  text += fmt::format("  {:>5} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "epoch", "step", "loss", "top-1",
                      "top-5", "samples");
  for (const EvalRow& r : rows) {
    text += fmt::format("  {:>5} {:>9} {:>9.4f} {:>9} {:>9} {:>9}\n", r.epoch, r.step, r.loss,
                        percent(r.top1, 2), percent(r.top5, 2), r.samples);
  }
}

void add_timing(const std::vector<TimingRow>& rows, std::string& text) {
  text += "\ntime of each rank over all epochs, in s\n";
  text +=
      fmt::format("  {:>4} {:<10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>11} {:>11} {:>11}\n",
                  "rank", "role", "total", "compute", "input", "wait", "local", "other", "hidden",
                  "pushed", "pulled", "memory");
  for (const TimingRow& r : totals_of_ranks(rows)) {
    const bool is_worker = r.role == kWorkerRole;
    const double share = hidden_share(r.measured_wait, r.measured_in_flight);
    text += fmt::format(
        "  {:>4} {:<10} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>9} {:>11} {:>11} "
        "{:>11}\n",
        r.rank, fmt::format("{} {}", is_worker ? "worker" : "server", r.index), r.seconds,
        r.compute, r.input, r.wait, r.local_update, r.post + r.other,
        is_worker ? percent(share, 1) : "-", mebibytes(static_cast<double>(r.bytes_pushed)),
        mebibytes(static_cast<double>(r.bytes_pulled)),
        mebibytes(static_cast<double>(r.peak_memory_bytes)));
  }
}

void add_staleness(const std::vector<StalenessRow>& rows, std::string& text) {
  std::int64_t all = 0;
  for (const StalenessRow& row : rows) all += row.count;
  text += "\nstaleness of pushes, in updates\n";
  for (const StalenessRow& row : rows) {
    const double share = static_cast<double>(row.count) / static_cast<double>(all);
    text += fmt::format("  {:>5} {:>12} {:>9}\n", row.value, row.count, percent(share, 2));
  }
}

void add_weights(const RunSummary& run, std::string& text) {
  text += run.weights_clock ? fmt::format("\nweights of clock {}\n", *run.weights_clock)
                            : std::string("\nweights, not complete\n");
  for (const WeightArray& array : run.weights) {
    text += fmt::format("  {} {}\n", array.name, h5::to_string(array.shape));
  }
}

}  // namespace

std::string to_text(const RunSummary& run) {
  std::string text = fmt::format("{}: run log, {}\n", run.path, run.status);
  if (run.status == "running") text += "(still running, or killed before it could say so)\n";
  if (run.is_benchmark) text += fmt::format("{}\n", kBenchmarkNote);
  text += fmt::format("command line: {}\n", run.command_line);
  add_values("configuration", run.config, text);
  add_values("environment", run.environment, text);
  if (!run.rows.eval.empty()) add_evaluations(run.rows.eval, text);
  if (!run.rows.timing.empty()) add_timing(run.rows.timing, text);
  if (!run.rows.staleness.empty()) add_staleness(run.rows.staleness, text);
  if (!run.weights.empty()) add_weights(run, text);
  return text + "\n" + result_text(run);
}

}  // namespace odsgd
