#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compute/recorded_clock.hpp"
#include "odsgd/bench/pretend_passes.hpp"
#include "odsgd/bench/samples.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// Keys 0 and 1, then 2, then 3; their operations are as 1 to 2 to 1.
NetworkTable three_layers() {
  const auto layer = [](std::vector<ArraySize> arrays, double flops) {
    return LayerSize{.name = "", .arrays = std::move(arrays), .forward_flops = flops};
  };
  return {
      .name = "three",
      .layers = {layer({{"a", 3}, {"b", 1}}, 100), layer({{"c", 5}}, 200), layer({{"d", 2}}, 100)}};
}

/// Does a step, and returns what happened: "f0" before the forward of key 0, "b0" before and "a0"
/// after its backward, each with the milliseconds of the step that were slept before it.
std::vector<std::string> events_of(PretendPasses& passes, RecordedClock& host) {
  const double begin_s = host.now_s;
  std::vector<std::string> events;
  const auto note = [&](const char* what) {
    return [&, what](Key k) {
      events.push_back(fmt::format("{}{} {:.0f}", what, k, 1e3 * (host.now_s - begin_s)));
    };
  };
  const auto forward = note("f");
  const auto before = note("b");
  const auto after = note("a");
  passes.step({forward, before, after});
  return events;
}

double step_s(PretendPasses& passes, RecordedClock& host) {
  const double begin_s = host.now_s;
  const auto nothing = [](Key) {};
  passes.step({nothing, nothing, nothing});
  return host.now_s - begin_s;
}

}  // namespace

TEST_CASE("pretend passes: by layer, hooks come between the layers' shares of the time") {
  RecordedClock host;
  PretendPasses passes(three_layers(), {.step_s = 1.2}, 1, host.clock());

  // Forward takes 400 ms: 100, 200, 100; backward 800 ms: 200, 400, 200.
  const std::vector<std::string> want = {"f0 0",    "f1 0",    "f2 100",  "f3 300",
                                         "b3 600",  "a3 600",  "b2 1000", "a2 1000",
                                         "b1 1200", "a1 1200", "b0 1200", "a0 1200"};
  CHECK(events_of(passes, host) == want);
  CHECK(events_of(passes, host) == want);
}

TEST_CASE(
    "pretend passes: not by layer, all weights are wanted first and all gradients come last") {
  RecordedClock host;
  PretendPasses passes(three_layers(), {.step_s = 1.2, .by_layer = false}, 1, host.clock());

  CHECK(events_of(passes, host) ==
        std::vector<std::string>{"f0 0", "f1 0", "f2 0", "f3 0", "b3 1200", "a3 1200", "b2 1200",
                                 "a2 1200", "b1 1200", "a1 1200", "b0 1200", "a0 1200"});
}

TEST_CASE(
    "pretend passes: every key of a known network once in each hook, in the order of the pass") {
  for (const bool by_layer : {true, false}) {
    CAPTURE(by_layer);
    const NetworkTable table = find_network_table("resnet50");
    RecordedClock host;
    PretendPasses passes(table, {.step_s = 1, .by_layer = by_layer}, 1, host.clock());
    std::vector<Key> forward;
    std::vector<Key> before;
    std::vector<Key> after;
    const auto on_forward = [&](Key k) { forward.push_back(k); };
    const auto on_before = [&](Key k) { before.push_back(k); };
    const auto on_after = [&](Key k) { after.push_back(k); };

    passes.step({on_forward, on_before, on_after});

    std::vector<Key> all;
    for (Key k = 0; k < table.arrays(); ++k) all.push_back(k);
    CHECK(forward == all);
    std::reverse(all.begin(), all.end());
    CHECK(before == all);
    CHECK(after == all);
    CHECK(host.now_s - 1024 == doctest::Approx(1));
  }
}

TEST_CASE("pretend passes: what a hook waits for is not made up for") {
  RecordedClock host;
  PretendPasses passes(three_layers(), {.step_s = 1.2}, 1, host.clock());
  const double begin_s = host.now_s;
  const auto wait = [&](Key) { host.now_s += 0.5; };
  const auto nothing = [](Key) {};

  passes.step({wait, nothing, nothing});

  CHECK(host.now_s - begin_s == doctest::Approx(1.2 + 4 * 0.5));
}

TEST_CASE("pretend passes: no computing takes no time") {
  RecordedClock host;
  PretendPasses passes(three_layers(), {}, 1, host.clock());

  CHECK(step_s(passes, host) == 0);
}

TEST_CASE("pretend passes: jitter makes steps differ both ways within its bound, by the seed") {
  const auto steps = [](std::uint64_t seed) {
    RecordedClock host;
    PretendPasses passes(three_layers(), {.step_s = 1, .jitter_percent = 20}, seed, host.clock());
    Samples all;
    for (int i = 0; i < 200; ++i) all.values.push_back(step_s(passes, host));
    return all;
  };

  const Samples one = steps(1);

  CHECK(one.min() >= 0.8 - 1e-9);
  CHECK(one.min() < 0.85);
  CHECK(one.max() <= 1.2 + 1e-9);
  CHECK(one.max() > 1.15);
  CHECK(one.median() == doctest::Approx(1).epsilon(0.05));
  CHECK(steps(1).values == one.values);
  CHECK(steps(2).values != one.values);
}
