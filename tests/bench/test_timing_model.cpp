#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/bench/timing_model.hpp"

using namespace odsgd;
using namespace odsgd::test;

// The numbers are sums of binary fractions: exact.

TEST_CASE("timing: SSGD takes computing and exchange, one after the other") {
  CHECK(ssgd_step_s({.compute_s = 8, .push_s = 1, .server_s = 2, .pull_s = 4}) == 15);
  // The local step belongs to OD-SGD alone.
  CHECK(ssgd_step_s({.compute_s = 8, .local_update_s = 64, .push_s = 1}) == 9);
}

TEST_CASE("timing: OD-SGD with one buffer takes the longer of the two") {
  StepCosts costs{.compute_s = 8, .local_update_s = 0.5, .push_s = 1, .server_s = 2, .pull_s = 4};
  CHECK(od_sgd_step_s(costs) == 8.5);
  costs.pull_s = 16;
  CHECK(od_sgd_step_s(costs) == 19);
  CHECK(ssgd_step_s({.compute_s = 4, .push_s = 4}) / od_sgd_step_s({.compute_s = 4, .push_s = 4}) ==
        2);
}

TEST_CASE("timing: OD-SGD with separate buffers is bound by each of five in turn") {
  const auto step_s = [](double u, double p, double s, double q) {
    return od_sgd_separate_buffers_step_s(
        {.compute_s = 8, .local_update_s = u, .push_s = p, .server_s = s, .pull_s = q});
  };
  CHECK(step_s(1, 2, 1, 2) == 9);      // C + U
  CHECK(step_s(1, 4, 4, 4) == 10.5);   // (C + U + M) / 2
  CHECK(step_s(0, 32, 1, 1) == 32);    // P
  CHECK(step_s(0, 1, 64, 1) == 64);    // S
  CHECK(step_s(0, 1, 1, 128) == 128);  // Q
}

TEST_CASE(
    "timing: ASGD's updates are bound by the workers, and then by the server's slowest part") {
  const std::vector<StepCosts> workers = {{.compute_s = 1, .push_s = 0.5, .pull_s = 0.5},   // T = 2
                                          {.compute_s = 3, .push_s = 0.5, .pull_s = 0.5}};  // T = 4
  CHECK(asgd_step_s(workers[1]) == 4);
  CHECK(asgd_updates_per_s(workers, {}) == 0.75);
  CHECK(asgd_updates_per_s(workers, {.push_s = 1, .server_s = 1, .pull_s = 1}) == 0.75);
  CHECK(asgd_updates_per_s(workers, {.push_s = 1, .server_s = 1, .pull_s = 2}) == 0.5);
  CHECK(asgd_updates_per_s(workers, {.push_s = 1, .server_s = 4, .pull_s = 2}) == 0.25);
  CHECK(asgd_updates_per_s(workers, {.push_s = 8, .server_s = 4, .pull_s = 2}) == 0.125);
}

TEST_CASE("timing: one server of 8 workers takes 8 times as long, 8 servers or more as a link") {
  CHECK(transfer_s(1000, 250, 8, 1) == 32);
  CHECK(transfer_s(1000, 250, 8, 4) == 8);
  CHECK(transfer_s(1000, 250, 8, 8) == 4);
  CHECK(transfer_s(1000, 250, 2, 8) == 4);
  CHECK(says(error_text([] { transfer_s(1, 0, 1, 1); }), "got 0 bytes/s"));
  CHECK(says(error_text([] { transfer_s(1, 1, 1, 0); }), "got 1 workers and 0 servers"));
}

TEST_CASE("timing: layer by layer, an exchange waits for its gradient or for the one before it") {
  // e_3 = 1 + 4 = 5, e_2 = max(2, 5) + 1 = 6, e_1 = max(8, 6) + 0.5 = 8.5
  const std::vector<LayerCosts> layers = {{.ready_s = 8, .push_s = 0.25, .pull_s = 0.25},
                                          {.ready_s = 2, .server_s = 1},
                                          {.ready_s = 1, .push_s = 2, .server_s = 1, .pull_s = 1}};
  CHECK(layerwise_ssgd_step_s(16, layers) == 24.5);

  // The other form: e_1 = max over l of k_l + m_1 + ... + m_l.
  CHECK(std::max({8 + 0.5, 2 + 0.5 + 1, 1 + 0.5 + 1 + 4}) == 8.5);
}

TEST_CASE("timing: layer by layer, pushes, server and pulls may overlap") {
  const std::vector<LayerCosts> layers = {
      {.ready_s = 2, .push_s = 1, .server_s = 0.5, .pull_s = 1},
      {.ready_s = 1, .push_s = 2, .server_s = 0.5, .pull_s = 4}};
  // Layer 2: pushed 3, updated 3.5, pulled 7.5; layer 1: pushed 4, updated 4.5, pulled 8.5.
  CHECK(pipelined_ssgd_step_s(16, layers) == 24.5);
  // One exchange at a time: layer 2: 7.5, layer 1: 10.
  CHECK(layerwise_ssgd_step_s(16, layers) == 26);
}

TEST_CASE("timing: OD-SGD layer by layer takes the longer of computing and all exchanges") {
  const std::vector<LayerCosts> layers = {{.push_s = 1, .server_s = 2, .pull_s = 4},
                                          {.push_s = 8, .server_s = 16, .pull_s = 32}};
  CHECK(layerwise_od_sgd_step_s(60, 4, layers) == 64);
  CHECK(layerwise_od_sgd_step_s(60, 1, layers) == 63);
}
