#include "odsgd/algorithms/lr_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "odsgd/base/names.hpp"

namespace odsgd {

const std::vector<std::string>& schedule_names() {
  static const std::vector<std::string> names{"constant", "step", "poly", "cosine"};
  return names;
}

ScheduleShape schedule_of(const std::string& name) {
  return static_cast<ScheduleShape>(place_of_name("schedule", schedule_names(), name));
}

double LrSchedule::progress(Clock since) const {
  if (total_steps <= warmup_steps) return 0;
  const double s =
      static_cast<double>(since - warmup_steps) / static_cast<double>(total_steps - warmup_steps);
  return std::min(s, 1.0);
}

double LrSchedule::value_at(Clock step) const {
  const Clock since = step - std::min(step, first_step);
  if (since < warmup_steps) {
    return base * static_cast<double>(since + 1) / static_cast<double>(warmup_steps);
  }
  double rate = base;
  switch (shape) {
    case ScheduleShape::kConstant:
      break;
    case ScheduleShape::kStep:
      for (const Clock milestone : milestones) rate *= since >= milestone ? factor : 1;
      break;
    case ScheduleShape::kPoly:
      rate *= std::pow(1 - progress(since), power);
      break;
    case ScheduleShape::kCosine:
      rate *= (1 + std::cos(std::numbers::pi * progress(since))) / 2;
      break;
  }
  return rate;
}

}  // namespace odsgd
