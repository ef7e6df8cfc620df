#include "rule_description.hpp"

#include <fmt/format.h>

namespace odsgd {
namespace {

std::string schedule_text(const LrSchedule& s, const std::string& shape) {
  std::string text = fmt::format("{:.6g}", s.base);
  switch (s.shape) {
    case ScheduleShape::kConstant:
      break;
    case ScheduleShape::kStep:
      text += fmt::format(" by {}, {} times {:g} on the way", shape, s.milestones.size(), s.factor);
      break;
    case ScheduleShape::kPoly:
      text += fmt::format(" by {} of power {:g}", shape, s.power);
      break;
    case ScheduleShape::kCosine:
      text += fmt::format(" by {}", shape);
      break;
  }
  if (s.warmup_steps > 0) text += fmt::format(", growing for {} steps", s.warmup_steps);
  return text;
}

std::string step_text(const Job& job) {
  const AlgorithmSettings& s = job.settings;
  const TrainOptions& o = job.options;
  std::string text = fmt::format("lr {}, momentum {}, weight decay {}",
                                 schedule_text(s.lr, o.lr_schedule), *o.momentum, o.weight_decay);
  if (s.optimizer != Optimizer::kSgd) text += fmt::format(", optimizer {}", o.optimizer);
  if (o.clip_value) text += fmt::format(", numbers clipped to {:g}", *o.clip_value);
  if (o.clip_norm) text += fmt::format(", gradients clipped to length {:g}", *o.clip_norm);
  if (o.lr_scaling == "linear") {
    text += fmt::format(" (lr {:g} for {} samples, times {:g})", o.lr, o.lr_base_batch,
                        job.global_batch() / static_cast<double>(o.lr_base_batch));
  }
  return text;
}

std::string local_text(const Job& job) {
  const AlgorithmSettings& s = job.settings;
  const TrainOptions& o = job.options;
  const std::string lr = schedule_text(s.local_lr, *o.local_lr_schedule);
  if (!job.algorithm->has_warmup) {
    return fmt::format("local     lr {}, momentum {}", lr, *o.local_momentum);
  }
  std::string text = fmt::format("local     rule {}", *o.local_rule);
  if (s.local_rule != LocalRule::kNone) text += ", lr " + lr;
  if (s.local_rule == LocalRule::kSgd || s.local_rule == LocalRule::kGlu)
    text += fmt::format(", momentum {}", *o.local_momentum);
  if (o.local_rule->starts_with("dc-"))
    text += fmt::format(", lambda {:g}, reference {}", *o.lambda, *o.dc_reference);
  if (s.local_rule != LocalRule::kNone) text += fmt::format(", scale {}", *o.local_scale);
  return text;
}

}  // namespace

std::vector<std::string> rule_lines(const Job& job) {
  std::vector<std::string> lines;
  std::string rule = "rule      " + step_text(job);
  if (job.algorithm->describe != nullptr) rule += "; " + job.algorithm->describe(job.settings);
  if (job.algorithm->has_warmup)
    rule += fmt::format("; {} warm-up steps", job.settings.warmup_steps);
  lines.push_back(std::move(rule));
  if (job.algorithm->has_local_update) lines.push_back(local_text(job));
  const int workers = job.roles.workers();
  if (!job.algorithm->is_synchronous && workers > 1) {
    lines.push_back(fmt::format(
        "warning   {} applies each worker's gradient with the whole learning rate: an "
        "epoch makes {} times the updates of ssgd's, about {} of them late; lr / {} is "
        "{:.4g} (docs/algorithms.md)",
        job.algorithm->name, workers, workers - 1, workers, job.settings.lr.base / workers));
  }
  return lines;
}

}  // namespace odsgd
