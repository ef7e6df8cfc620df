#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "odsgd/base/shell.hpp"
#include "odsgd/record/trace_summary.hpp"
#include "text.hpp"

namespace odsgd {

std::string to_text(const TraceSummary& trace) {
  std::int64_t spans = 0;
  std::int64_t dropped = 0;
  double uncertainty_s = 0;
  std::size_t width = std::string_view("role").size();
  for (const RankTrace& rank : trace.ranks) {
    spans += rank.spans;
    dropped += rank.dropped;
    uncertainty_s = std::max(uncertainty_s, rank.clock_uncertainty_s);
    width = std::max(width, rank.role.size());
  }

  std::string text = fmt::format("{}: trace of run {}, {} spans of {} ranks\n", trace.path,
                                 trace.run_id, spans, trace.ranks.size());
  text += "\nhow long something was under way on each rank, in s\n";
  text +=
      fmt::format("  {:>4} {:<{}} {:>8} {:>8} {:>8}", "rank", "role", width, "spans", "from", "to");
  for (std::size_t i = 0; i < kLanes; ++i)
    text += fmt::format(" {:>8}", lane_name(static_cast<Lane>(i)));
  text += fmt::format(" {:>8}\n", "hidden");
  for (const RankTrace& rank : trace.ranks) {
    text += fmt::format("  {:>4} {:<{}} {:>8} {:>8.3f} {:>8.3f}", rank.rank, rank.role, width,
                        rank.spans, rank.first_s, rank.last_s);
    for (const double busy_s : rank.busy_s) text += fmt::format(" {:>8.3f}", busy_s);
    text += fmt::format(" {:>8}\n", percent(rank.hidden_share, 1));
  }
  text += "  hidden: 1 - wait / time with a push or a pull under way\n";
  text += fmt::format("  the ranks' clocks agree to {:.1f} us or better\n", uncertainty_s * 1e6);
  if (dropped > 0)
    text += fmt::format("  {} later spans found no room in memory and count nowhere\n", dropped);
  return text + fmt::format("\nlook at it: open https://ui.perfetto.dev and drop {} on the page\n",
                            shell_quoted(trace.path));
}

}  // namespace odsgd
