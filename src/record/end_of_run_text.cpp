#include <fmt/format.h>

#include "odsgd/base/shell.hpp"
#include "odsgd/record/progress.hpp"
#include "odsgd/record/run_summary.hpp"
#include "text.hpp"

namespace odsgd {
std::string result_text(const RunSummary& run) {
  const RunResult& r = run.result;
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<15}{}\n", name, value);
  };
  if (run.is_benchmark) {
    line("benchmark", kBenchmarkNote);
    line("time", fmt::format("{} ({} steps, {} images)", duration_text(r.train_seconds), r.steps,
                             r.samples));
    line("speed",
         fmt::format("{:.0f} images/s of the synthetic device, all workers", r.images_per_s));
  } else {
    line("test accuracy", fmt::format("{} (top-5 {}), loss {:.4f}", percent(r.test_top1, 2),
                                      percent(r.test_top5, 2), r.test_loss));
    line("training time", fmt::format("{} ({} steps, {} images, without evaluations)",
                                      duration_text(r.train_seconds), r.steps, r.samples));
    line("speed", fmt::format("{:.0f} images/s, all workers", r.images_per_s));
  }
  line("peak memory",
       fmt::format("{} (largest rank)", mebibytes(static_cast<double>(r.peak_memory_bytes))));
  return text + overlap_text(run.rows.timing);
}

std::string end_of_run_text(const RunSummary& run) {
  const std::string path = shell_quoted(run.path);
  return result_text(run) + fmt::format("{:<15}{}\n", "log", path) +
         fmt::format("{:<15}odsgd info {}   (--json for scripts), h5dump -n {}\n", "look into it",
                     path, path);
}

}  // namespace odsgd
