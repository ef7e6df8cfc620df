#pragma once

#include <string>
#include <vector>

#include "odsgd/base/types.hpp"

namespace odsgd {

/// How a learning rate falls over a run, once the linear warm-up is over.
enum class ScheduleShape {
  kConstant,
  kStep,    ///< times `factor` at each milestone
  kPoly,    ///< times (1 - s)^power, s from 0 at the end of warm-up to 1 at the end of the run
  kCosine,  ///< times (1 + cos(pi s)) / 2
};

/// Names on the command line, in the order of the enumerators.
const std::vector<std::string>& schedule_names();
ScheduleShape schedule_of(const std::string& name);

/// The learning rate of every step of a run. Steps are numbered from 0: the rate of step t is that
/// of the gradient taken in step t, wherever and whenever it is applied.
struct LrSchedule {
  LrSchedule() = default;
  LrSchedule(float rate) : base(rate) {}  // NOLINT: a number is a constant schedule

  double base = 0;
  ScheduleShape shape = ScheduleShape::kConstant;
  Clock first_step = 0;    ///< step t has the rate of step t - first_step in a run from there
  Clock warmup_steps = 0;  ///< step t of them has base (t + 1) / warmup_steps
  Clock total_steps = 0;   ///< of the run; of kPoly and kCosine
  std::vector<Clock> milestones;  ///< steps from which on the rate is lower, ascending; of kStep
  double factor = 0.1;
  double power = 2;

  double value_at(Clock step) const;
  float at(Clock step) const { return static_cast<float>(value_at(step)); }

 private:
  double progress(Clock since) const;
};

}  // namespace odsgd
