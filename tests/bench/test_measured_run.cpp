#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "odsgd/bench/measured_run.hpp"
#include "odsgd/transport/in_process.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

namespace {

constexpr double kRounding_s = 1e-9;

/// Of the time that a measured step pretends to compute, what it takes at least: a sleep of the
/// warm-up that ended late is made up for.
constexpr double kMadeUp = 0.5;

/// What each rank returns; the ranks are threads.
std::vector<MeasuredRun> measure(const RunPlan& plan, const Delays& delays = {}) {
  const int ranks = plan.roles.ranks();
  InProcessHub control_hub(ranks);
  std::vector<MeasuredRun> runs(static_cast<std::size_t>(ranks));
  run_ranks(
      ranks,
      [&](Endpoint& endpoint) {
        const auto control = control_hub.endpoint(endpoint.rank());
        Meeting meeting(*control, plan.roles.worker_rank(0), 20);
        runs[static_cast<std::size_t>(endpoint.rank())] = measure_run(plan, endpoint, meeting);
      },
      delays);
  return runs;
}

RunPlan plan_for(const Roles& roles, const std::string& algorithm) {
  return {.table = find_network_table("lenet", 10),
          .roles = roles,
          .message_floats = 1024,
          .exchange = {.timeout_s = 20},
          .warmup_steps = 2,
          .steps = 5,
          .algorithm = algorithm};
}

const RankTimes& times_of(const std::vector<MeasuredRun>& runs, const Roles& roles, int rank) {
  return runs[static_cast<std::size_t>(roles.worker_rank(0))].ranks[static_cast<std::size_t>(rank)];
}

}  // namespace

TEST_CASE(
    "measured run: the leader has a sample of each measured step, and the times of all ranks") {
  for (const Roles& roles : {Roles::dedicated(3, 1), Roles::colocated(3)}) {
    for (const char* algorithm : {"", "ssgd", "asgd", "od-sgd"}) {
      CAPTURE(roles.is_colocated());
      CAPTURE(algorithm);
      const RunPlan plan = plan_for(roles, algorithm);

      const std::vector<MeasuredRun> runs = measure(plan);

      for (int rank = 0; rank < 3; ++rank) {
        const bool leads = rank == roles.worker_rank(0);
        CHECK(runs[static_cast<std::size_t>(rank)].ranks.size() == (leads ? 3 : 0));
        CHECK(times_of(runs, roles, rank).step_s > 0);
        CHECK(times_of(runs, roles, rank).peak_memory_bytes > 0);
      }
      const MeasuredRun& led = runs[static_cast<std::size_t>(roles.worker_rank(0))];
      CHECK(led.step_s.values.size() == 5);
      CHECK(led.step_s.min() > 0);
      const double sum_s = std::accumulate(led.step_s.values.begin(), led.step_s.values.end(), 0.0);
      CHECK(sum_s <= 5 * times_of(runs, roles, roles.worker_rank(0)).step_s + kRounding_s);
    }
  }
}

TEST_CASE("measured run: no second of a worker's step is counted twice") {
  for (const char* algorithm : {"", "ssgd", "asgd", "od-sgd"}) {
    CAPTURE(algorithm);
    const Roles roles = Roles::dedicated(3, 1);
    RunPlan plan = plan_for(roles, algorithm);
    plan.compute.step_s = 0.005;

    const std::vector<MeasuredRun> runs = measure(plan);

    for (const int rank : {1, 2}) {
      const RankTimes& t = times_of(runs, roles, rank);
      const double parts_s = t.compute_s + t.wait_s + t.update_s + t.post_s;
      CHECK(parts_s <= t.step_s + kRounding_s);
      CHECK(parts_s >= 0.8 * t.step_s);  // what lies between is a few calls
      CHECK(t.compute_s > kMadeUp * 0.005);
      CHECK((t.update_s > 0) == (std::string(algorithm) == "od-sgd"));
    }
  }
}

TEST_CASE(
    "measured run: either is under way no longer than both together; what is hidden is part") {
  const Roles roles = Roles::dedicated(3, 1);
  RunPlan plan = plan_for(roles, "od-sgd");
  plan.compute.step_s = 0.01;

  const std::vector<MeasuredRun> runs = measure(plan, {.longest = 2ms});

  for (const int rank : {1, 2}) {
    const RankTimes& t = times_of(runs, roles, rank);
    CHECK(t.push_s > 0);
    CHECK(t.pull_s > 0);
    CHECK(t.either_s >= t.push_s - kRounding_s);
    CHECK(t.either_s >= t.pull_s - kRounding_s);
    CHECK(t.either_s <= t.push_s + t.pull_s + kRounding_s);
    CHECK(t.wait_s <= t.either_s);
  }
}

TEST_CASE("measured run: a dedicated server has only what a server does, a worker only its own") {
  const Roles roles = Roles::dedicated(4, 2);

  const std::vector<MeasuredRun> runs = measure(plan_for(roles, "ssgd"));

  for (const int server : {0, 1}) {
    const RankTimes& t = times_of(runs, roles, server);
    CHECK(t.update_s > 0);
    CHECK(t.update_s <= t.step_s);
    CHECK(t.progress_cpu_s > 0);
    CHECK(t.compute_s + t.wait_s + t.post_s + t.push_s + t.pull_s + t.either_s == 0);
  }
  for (const int worker : {2, 3}) CHECK(times_of(runs, roles, worker).update_s == 0);
}

TEST_CASE("measured run: the last worker is the straggler, and sets the pace of ssgd") {
  const Roles roles = Roles::dedicated(3, 1);
  RunPlan plan = plan_for(roles, "ssgd");
  plan.compute = {.step_s = 0.005};
  plan.straggler = 6;

  const std::vector<MeasuredRun> runs = measure(plan);

  const RankTimes& first = times_of(runs, roles, 1);
  const RankTimes& last = times_of(runs, roles, 2);
  CHECK(last.compute_s > kMadeUp * 0.030);
  CHECK(first.compute_s < last.compute_s);
  CHECK(first.step_s > kMadeUp * 0.030);
  CHECK(first.wait_s > last.wait_s);
}
