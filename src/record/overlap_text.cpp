#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "odsgd/record/overlap.hpp"
#include "text.hpp"
#include "timing_totals.hpp"

namespace odsgd {
namespace {

constexpr double kMilli = 1e3;

std::string milliseconds(double seconds) {
  return std::isnan(seconds) ? "-" : fmt::format("{:.3f}", seconds * kMilli);
}

}  // namespace

std::string overlap_text(std::span<const TimingRow> rows) {
  const std::vector<TimingRow> totals = totals_of_ranks(rows);
  const auto is_worker = [](const TimingRow& row) { return row.role == kWorkerRole; };
  const auto workers = std::count_if(totals.begin(), totals.end(), is_worker);
  std::string text = fmt::format("{:<15}{:>10} {:>10} {:>10}   of {} worker{}\n", "ms a step",
                                 "min", "mean", "max", workers, workers == 1 ? "" : "s");
  const auto line = [&](const char* name, const Spread& s) {
    text += fmt::format("  {:<13}{:>10} {:>10} {:>10}\n", name, milliseconds(s.min),
                        milliseconds(s.mean), milliseconds(s.max));
  };
  const OverlapRow all = overlap_of(rows);
  line("step", all.step);
  line("compute", all.compute);
  line("exposed wait", all.wait);
  line("local update", all.local_update);
  line("push", all.push);
  line("pull", all.pull);
  line("communication", all.in_flight);
  const Spread& hidden = all.hidden_share;
  const auto share = [](double value) { return std::isnan(value) ? "n/a" : percent(value, 1); };
  text += fmt::format("  {:<13}{:>10} {:>10} {:>10}   {}\n", "hidden", share(hidden.min),
                      share(hidden.mean), share(hidden.max),
                      std::isnan(hidden.mean) ? "no steps after warm-up and the run's first ones"
                                              : "of communication, without the first steps");
  const double server = most_of_a_core(rows, kServerRole);
  text +=
      fmt::format("{:<15}{} of a core for a worker's progress thread{}\n", "messages",
                  percent(most_of_a_core(rows, kWorkerRole), 1),
                  std::isnan(server) ? "" : fmt::format(", {} for a server", percent(server, 1)));
  return text;
}

}  // namespace odsgd
