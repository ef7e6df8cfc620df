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

double LrSchedule::progress(Clock step) const {
  if (total_steps <= warmup_steps) return 0;
  const double s =
      static_cast<double>(step - warmup_steps) / static_cast<double>(total_steps - warmup_steps);
  return std::min(s, 1.0);
}

float LrSchedule::at(Clock step) const {
  if (step < warmup_steps) {
    return static_cast<float>(base * static_cast<double>(step + 1) /
                              static_cast<double>(warmup_steps));
  }
  double rate = base;
  switch (shape) {
    case ScheduleShape::kConstant:
      break;
    case ScheduleShape::kStep:
      for (const Clock milestone : milestones) rate *= step >= milestone ? factor : 1;
      break;
    case ScheduleShape::kPoly:
      rate *= std::pow(1 - progress(step), power);
      break;
    case ScheduleShape::kCosine:
      rate *= (1 + std::cos(std::numbers::pi * progress(step))) / 2;
      break;
  }
  return static_cast<float>(rate);
}

}  // namespace odsgd
