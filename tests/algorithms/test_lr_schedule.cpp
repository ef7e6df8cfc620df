#include <doctest/doctest.h>

#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

LrSchedule schedule(ScheduleShape shape) {
  LrSchedule lr = 8.0F;
  lr.shape = shape;
  lr.total_steps = 100;
  return lr;
}

}  // namespace

TEST_CASE("lr schedule: a number is constant") {
  const LrSchedule lr = 0.25F;
  CHECK(lr.at(0) == 0.25F);
  CHECK(lr.at(1'000'000) == 0.25F);
}

TEST_CASE("lr schedule: step multiplies from each milestone on, that step included") {
  LrSchedule lr = schedule(ScheduleShape::kStep);
  lr.milestones = {30, 60};
  lr.factor = 0.5;
  CHECK(lr.value_at(29) == 8);
  CHECK(lr.value_at(30) == 4);
  CHECK(lr.value_at(59) == 4);
  CHECK(lr.value_at(60) == 2);
  CHECK(lr.value_at(1000) == 2);
}

TEST_CASE("lr schedule: poly falls as (1 - s)^power to 0") {
  LrSchedule lr = schedule(ScheduleShape::kPoly);
  CHECK(lr.value_at(0) == 8);
  CHECK(lr.value_at(50) == doctest::Approx(2));
  CHECK(lr.value_at(75) == doctest::Approx(0.5));
  CHECK(lr.value_at(100) == 0);
  CHECK(lr.value_at(150) == 0);
  lr.power = 1;
  CHECK(lr.value_at(25) == doctest::Approx(6));
}

TEST_CASE("lr schedule: cosine falls as (1 + cos(pi s)) / 2") {
  const LrSchedule lr = schedule(ScheduleShape::kCosine);
  CHECK(lr.value_at(0) == 8);
  CHECK(lr.value_at(25) == doctest::Approx(4 + 2.8284271247));
  CHECK(lr.value_at(50) == doctest::Approx(4));
  CHECK(lr.value_at(100) == doctest::Approx(0));
}

TEST_CASE("lr schedule: warm-up rises linearly to the full rate in its last step") {
  for (const ScheduleShape shape : {ScheduleShape::kConstant, ScheduleShape::kStep,
                                    ScheduleShape::kPoly, ScheduleShape::kCosine}) {
    LrSchedule lr = schedule(shape);
    lr.warmup_steps = 4;
    CHECK(lr.value_at(0) == 2);
    CHECK(lr.value_at(1) == 4);
    CHECK(lr.value_at(3) == 8);
    CHECK(lr.value_at(4) == 8);
  }
  LrSchedule poly = schedule(ScheduleShape::kPoly);
  poly.warmup_steps = 20;  // s goes from 0 at step 20 to 1 at step 100
  CHECK(poly.value_at(60) == doctest::Approx(2));
  CHECK(poly.value_at(100) == 0);
}

TEST_CASE("lr schedule: milestones count from the start of the run, warm-up included") {
  LrSchedule lr = schedule(ScheduleShape::kStep);
  lr.warmup_steps = 10;
  lr.milestones = {12};
  lr.factor = 0.25;
  CHECK(lr.value_at(11) == 8);
  CHECK(lr.value_at(12) == 2);
}

TEST_CASE("lr schedule: first_step shifts all of it") {
  LrSchedule lr = schedule(ScheduleShape::kStep);
  lr.milestones = {30};
  lr.factor = 0.5;
  lr.warmup_steps = 4;
  lr.first_step = 200;
  CHECK(lr.value_at(0) == 2);  // before: as its first step
  CHECK(lr.value_at(200) == 2);
  CHECK(lr.value_at(203) == 8);
  CHECK(lr.value_at(229) == 8);
  CHECK(lr.value_at(230) == 4);
}

TEST_CASE("ssgd: after a change of lr, velocity keeps the lr that it was made with") {
  // g = 1, momentum 1/2, lr 1/2 for two steps, then 0: V = -1/2, -3/4, then halves of that.
  Setup setup = distinct_setup("ssgd", 2, 5);
  setup.settings.lr = 0.5F;
  setup.settings.lr.shape = ScheduleShape::kStep;
  setup.settings.lr.milestones = {2};
  setup.settings.lr.factor = 0;
  setup.settings.momentum = 0.5F;
  setup.settings.weight_decay = 0;
  const Trace trace = train(setup, constant_gradient(1, 2));
  const float want[] = {0, -0.5F, -1.25F, -1.625F, -1.8125F, -1.90625F};
  for (Clock t = 0; t <= 5; ++t) CHECK(trace.global[t][0] == want[t]);
}

TEST_CASE("every rule uses the rates of the step that took the gradient, global and local") {
  constexpr int kWorkers = 3;
  constexpr Clock kSteps = 16;
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 161);
  const auto setup_of = [](const std::string& algorithm, LocalRule rule) {
    Setup setup = distinct_setup(algorithm, kWorkers, kSteps);
    AlgorithmSettings& s = setup.settings;
    s.local_rule = rule;
    s.warmup_steps = algorithm == "ssgd" ? kSteps : 3;
    s.lr.shape = ScheduleShape::kStep;
    s.lr.milestones = {5, 9};
    s.lr.warmup_steps = 2;
    s.lr.factor = 0.4;
    s.local_lr.shape = ScheduleShape::kCosine;
    s.local_lr.first_step = 3;
    s.local_lr.total_steps = 20;
    return setup;
  };
  for (const LocalRule rule : {LocalRule::kSgd, LocalRule::kDcA, LocalRule::kMc, LocalRule::kGlu}) {
    CAPTURE(local_rule_names()[static_cast<std::size_t>(rule)]);
    const Setup ssd = setup_of("ssd-sgd", rule);
    check_follows(train(ssd, problem), serial_ssd_sgd(problem, ssd.settings, kSteps));
    if (rule == LocalRule::kGlu) continue;
    const Setup od = setup_of("od-sgd", rule);
    check_follows(train(od, problem), serial_od_sgd(problem, od.settings, kSteps));
  }
  const Setup ssgd = setup_of("ssgd", LocalRule::kSgd);
  check_follows(train(ssgd, problem), serial_od_sgd(problem, ssgd.settings, kSteps));
  const Setup local = setup_of("local-sgd", LocalRule::kSgd);
  check_follows(train(local, problem), serial_local_sgd(problem, local.settings, kSteps));
  const Setup elastic = setup_of("easgd", LocalRule::kSgd);
  check_follows(train(elastic, problem), serial_easgd(problem, elastic.settings, kSteps));
}
