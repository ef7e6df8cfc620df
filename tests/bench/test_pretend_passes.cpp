#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "odsgd/bench/pretend_passes.hpp"

using namespace odsgd;

namespace {

/// Two layers of two arrays and one of one.
NetworkTable three_layers() {
  return {.name = "three",
          .layers = {{"a", {{"a_weight", 8, true}, {"a_bias", 2, false}}, 10},
                     {"b", {{"b_weight", 4, true}}, 0},
                     {"c", {{"c_weight", 8, true}, {"c_bias", 2, false}}, 30}}};
}

/// What a step calls, in order.
std::string calls_of(PretendPasses& passes) {
  std::string calls;
  passes.step({[&](Key k) { calls += " f" + std::to_string(k); },
               [&](Key k) { calls += " b" + std::to_string(k); },
               [&](Key k) { calls += " g" + std::to_string(k); }});
  return calls;
}

}  // namespace

TEST_CASE("pretend passes: forward in the order of the layers, backward in the reverse") {
  const std::string want = " f0 f1 f2 f3 f4 b4 g4 b3 g3 b2 g2 b1 g1 b0 g0";
  for (const bool by_layer : {true, false}) {
    CAPTURE(by_layer);
    PretendPasses passes(three_layers(), {.step_s = 1e-4, .by_layer = by_layer}, 0);
    CHECK(calls_of(passes) == want);
    CHECK(calls_of(passes) == want);
  }
}

TEST_CASE("pretend passes: a step without time, and a network without operations, call the same") {
  PretendPasses passes(flat_table(10), {.step_s = 0}, 0);
  CHECK(calls_of(passes) == " f0 b0 g0");
}
