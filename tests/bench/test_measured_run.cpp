#include <doctest/doctest.h>

#include "odsgd/bench/measured_run.hpp"
#include "odsgd/transport/in_process.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr int kSteps = 12;

RunPlan plan_of(const Roles& roles, const std::string& algorithm) {
  return {.table = find_network_table("lenet", 20),
          .roles = roles,
          .message_floats = 2000,
          .exchange = {.timeout_s = 20},
          .warmup_steps = 2,
          .steps = kSteps,
          .algorithm = algorithm,
          .compute = {.step_s = algorithm.empty() ? 0 : 2e-3}};
}

/// The leader's result; that the others get none is checked.
MeasuredRun measure(const RunPlan& plan) {
  const int ranks = plan.roles.ranks();
  InProcessHub control(ranks);
  MeasuredRun result;
  run_ranks(ranks, [&](Endpoint& endpoint) {
    const auto meeting_endpoint = control.endpoint(endpoint.rank());
    Meeting meeting(*meeting_endpoint, plan.roles.worker_rank(0), 20);
    const MeasuredRun run = measure_run(plan, endpoint, meeting);
    if (meeting.leads()) {
      result = run;
    } else {
      CHECK(run.ranks.empty());
    }
  });
  return result;
}

void check(const RunPlan& plan) {
  const MeasuredRun run = measure(plan);

  REQUIRE(run.ranks.size() == static_cast<std::size_t>(plan.roles.ranks()));
  CHECK(run.step_s.values.size() == kSteps);
  for (int rank = 0; rank < plan.roles.ranks(); ++rank) {
    CAPTURE(rank);
    const RankTimes& t = run.ranks[static_cast<std::size_t>(rank)];
    CHECK(t.step_s > 0);
    if (!plan.roles.worker_of(rank)) {
      CHECK(t.compute_s == 0);
      CHECK(t.update_s > 0);
      continue;
    }
    CHECK(t.compute_s + t.wait_s + t.update_s + t.post_s <= t.step_s * 1.0001);
    CHECK(t.either_s <= t.push_s + t.pull_s + 1e-6);
    CHECK(t.either_s <= t.step_s * 1.01);
    CHECK(t.push_s > 0);
    CHECK(t.pull_s > 0);
    CHECK(t.compute_s >= plan.compute.step_s * 0.99);
  }
}

}  // namespace

TEST_CASE("measured run: every rank's times, of the measured steps, for every algorithm") {
  for (const char* algorithm : {"", "ssgd", "asgd", "od-sgd"}) {
    CAPTURE(algorithm);
    check(plan_of(Roles::dedicated(3, 1), algorithm));
    check(plan_of(Roles::dedicated(4, 2), algorithm));
    check(plan_of(Roles::colocated(2), algorithm));
  }
}

TEST_CASE("measured run: a straggler alone computes longer") {
  RunPlan plan = plan_of(Roles::dedicated(3, 1), "asgd");
  plan.straggler = 3;

  const MeasuredRun run = measure(plan);

  CHECK(run.ranks[1].compute_s < 4e-3);
  CHECK(run.ranks[2].compute_s >= 6e-3 * 0.99);
}
