#include <charconv>
#include <limits>

#include "update_options.hpp"
#include "usage_error.hpp"

namespace odsgd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The schedule of --lr, with another rate, shape and milestones for the local one.
LrSchedule schedule(const UpdateOptions& o, const UpdateScale& scale, double rate,
                    const std::string& shape, const std::string& option,
                    const std::string& epochs) {
  LrSchedule s(static_cast<float>(rate));
  s.base = rate;
  if (o.lr_scaling == "linear")
    s.base *= scale.global_batch() / static_cast<double>(o.lr_base_batch);
  s.shape = schedule_of(shape);
  s.warmup_steps = static_cast<Clock>(o.lr_warmup_steps);
  s.total_steps = scale.steps_per_epoch * static_cast<std::size_t>(scale.epochs);
  s.factor = o.lr_factor;
  s.power = o.lr_power;
  for (const double epoch : epochs_of(option, epochs)) {
    s.milestones.push_back(static_cast<Clock>(epoch * static_cast<double>(scale.steps_per_epoch)));
  }
  if (s.shape == ScheduleShape::kStep && s.milestones.empty()) {
    throw UsageError(
        fmt::format("{}: got nothing, want epochs at which the rate falls, as 80,120 "
                    "(--lr-schedule step)",
                    option));
  }
  return s;
}

LrSchedule local_schedule(const UpdateOptions& o, const UpdateScale& scale) {
  LrSchedule s =
      schedule(o, scale, *o.local_lr, *o.local_lr_schedule, "--local-lr-steps", *o.local_lr_steps);
  if (*o.local_lr_counts == "local-updates") s.first_step = static_cast<Clock>(*o.warmup_steps);
  return s;
}

}  // namespace

const std::vector<std::string>& lr_scaling_names() {
  static const std::vector<std::string> names{"none", "linear"};
  return names;
}

const std::vector<std::string>& local_lr_counts_names() {
  static const std::vector<std::string> names{"steps", "local-updates"};
  return names;
}

std::vector<double> epochs_of(const std::string& option, const std::string& text) {
  std::vector<double> epochs;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    double epoch = 0;
    const auto [stop, error] = std::from_chars(at, end, epoch);
    const bool is_last = stop == end;
    const bool is_good = error == std::errc{} && (is_last || (*stop == ',' && stop + 1 != end)) &&
                         epoch > (epochs.empty() ? 0 : epochs.back()) && epoch < kInfinity;
    if (!is_good) {
      throw UsageError(
          fmt::format("{}: got {}, want ascending numbers of epochs with commas between, as 80,120",
                      option, text));
    }
    epochs.push_back(epoch);
    at = is_last ? end : stop + 1;
  }
  return epochs;
}

AlgorithmSettings settings_of(const UpdateOptions& o, const UpdateScale& scale) {
  return {.workers = scale.workers,
          .total_steps = scale.steps_per_epoch * static_cast<std::size_t>(scale.epochs),
          .lr = schedule(o, scale, o.lr, o.lr_schedule, "--lr-steps", o.lr_steps),
          .momentum = static_cast<float>(*o.momentum),
          .weight_decay = static_cast<float>(o.weight_decay),
          .optimizer = optimizer_of(o.optimizer),
          .lars_trust = static_cast<float>(o.lars_trust),
          .clip_value = static_cast<float>(o.clip_value.value_or(kInfinity)),
          .clip_norm = static_cast<float>(o.clip_norm.value_or(kInfinity)),
          .local_rule = local_rule_of(*o.local_rule),
          .local_lr = local_schedule(o, scale),
          .local_momentum = static_cast<float>(*o.local_momentum),
          .local_scale = local_scale_of(*o.local_scale),
          .warmup_steps = static_cast<Clock>(*o.warmup_steps),
          .lambda = static_cast<float>(*o.lambda),
          .mean_square_decay = static_cast<float>(*o.dc_decay),
          .dc_reference = dc_reference_of(*o.dc_reference),
          .lambda_rule = lambda_rule_of(*o.lambda_rule),
          .staleness = static_cast<Clock>(o.staleness),
          .delay_steps = static_cast<Clock>(*o.delay_steps),
          .glu_alpha = static_cast<float>(o.glu_alpha),
          .glu_beta = static_cast<float>(o.glu_beta),
          .threshold = static_cast<float>(*o.threshold),
          .correction_steps = static_cast<Clock>(o.correction_steps),
          .local_steps = static_cast<Clock>(*o.local_steps),
          .outer_lr = static_cast<float>(*o.outer_lr),
          .outer_momentum = static_cast<float>(*o.outer_momentum),
          .elastic_alpha = static_cast<float>(*o.elastic_alpha)};
}

}  // namespace odsgd
