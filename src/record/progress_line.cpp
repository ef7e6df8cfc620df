#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "odsgd/record/progress.hpp"

namespace odsgd {
namespace {

constexpr std::size_t kShortestBar = 8;  // with its brackets
constexpr std::size_t kLongestBar = 42;

std::string bar(double done, std::size_t width) {
  const std::size_t inside = width - 2;
  const double clamped = std::clamp(done, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(clamped * static_cast<double>(inside));
  std::string text(full, '=');
  if (full < inside) text += '>';
  text.resize(inside, ' ');
  return "[" + text + "]";
}

}  // namespace

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "-";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  const std::int64_t minutes = whole / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

std::string progress_line(const Progress& p, int width) {
  enum Part { kEpoch, kBar, kStep, kLoss, kAccuracy, kSpeed, kLeft, kParts };
  std::array<std::string, kParts> parts;
  parts[kEpoch] = fmt::format("epoch {}/{}", p.epoch, p.epochs);
  parts[kBar] = std::string(kShortestBar, ' ');
  parts[kStep] = fmt::format("{}/{}", p.step, p.steps);
  if (!p.is_benchmark) {
    parts[kLoss] = fmt::format("loss {:.4f}", p.loss);
    parts[kAccuracy] = fmt::format("acc {:.2f}%", 100 * p.accuracy);
  }
  parts[kSpeed] = fmt::format("{:.0f}{} img/s", p.images_per_s, p.is_benchmark ? " pretend" : "");
  parts[kLeft] = p.seconds_left < 0 ? "" : duration_text(p.seconds_left) + " left";

  const auto room = static_cast<std::size_t>(std::max(width, 0));
  std::array<bool, kParts> shown{};
  std::size_t used = 0;
  for (const Part part : {kEpoch, kStep, kLoss, kLeft, kBar, kAccuracy, kSpeed}) {
    const std::size_t needed = parts[part].size() + (used > 0 ? 1 : 0);
    if (parts[part].empty() || used + needed > room) continue;
    shown[part] = true;
    used += needed;
  }
  if (shown[kBar]) {
    const double done =
        p.steps > 0 ? static_cast<double>(p.step) / static_cast<double>(p.steps) : 0.0;
    parts[kBar] = bar(done, std::min(kLongestBar, kShortestBar + room - used));
  }

  std::string line;
  for (std::size_t part = 0; part < kParts; ++part) {
    if (!shown[part]) continue;
    if (!line.empty()) line += ' ';
    line += parts[part];
  }
  return line;
}

std::string epoch_line(const EpochReport& r) {
  if (r.is_benchmark) {
    return fmt::format("epoch {}/{}: benchmark; {:.0f} images/s of the synthetic device, {:.1f} s",
                       r.epoch, r.epochs, r.images_per_s, r.seconds);
  }
  std::string line = fmt::format("epoch {}/{}: train loss {:.4f}, accuracy {:.2f} %", r.epoch,
                                 r.epochs, r.train_loss, 100 * r.train_accuracy);
  if (r.test_loss) line += fmt::format("; test loss {:.4f}", *r.test_loss);
  if (r.test_top1) line += fmt::format(", accuracy {:.2f} %", 100 * *r.test_top1);
  return line + fmt::format("; {:.0f} images/s, {:.1f} s", r.images_per_s, r.seconds);
}

}  // namespace odsgd
