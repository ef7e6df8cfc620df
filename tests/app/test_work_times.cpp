#include <doctest/doctest.h>

#include <array>

#include "work_times.hpp"

using namespace odsgd;

namespace {

constexpr auto kAll = std::to_array({&WorkTimes::seconds, &WorkTimes::compute, &WorkTimes::input,
                                     &WorkTimes::wait, &WorkTimes::local_update, &WorkTimes::post,
                                     &WorkTimes::push, &WorkTimes::pull, &WorkTimes::in_flight});

}  // namespace

TEST_CASE("work times add up and differ part by part") {
  static_assert(sizeof(WorkTimes) == kAll.size() * sizeof(double), "every part is checked");
  const WorkTimes later{32, 16, 8, 4, 2, 1, 64, 128, 256};
  const WorkTimes earlier{8, 4, 2, 1, 0.5, 0.25, 16, 32, 64};
  const WorkTimes sum = later + earlier;
  const WorkTimes difference = later - earlier;
  for (const auto part : kAll) {
    CHECK(sum.*part == earlier.*part * 5);  // later is 4 times as long
    CHECK(difference.*part == earlier.*part * 3);
  }
}
