#pragma once

#include <vector>

#include "odsgd/compute/pretend_time.hpp"

namespace odsgd::test {

/// A clock that stands still but for sleeps, which take no time and are recorded, and for what the
/// test adds. It must outlive what goes by it.
class RecordedClock {
 public:
  SleepClock clock() {
    return {[this] { return now_s; },
            [this](double until_s) {
              deadlines.push_back(until_s);
              now_s = until_s + late_s;
            }};
  }

  double now_s = 1024;
  double late_s = 0;  ///< by which sleeps end late
  std::vector<double> deadlines;
};

}  // namespace odsgd::test
