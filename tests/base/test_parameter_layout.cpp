#include <doctest/doctest.h>

#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/base/parameter_layout.hpp"

using namespace odsgd;

TEST_CASE("keys lie one after the other in one flat range") {
  ParameterLayout layout;
  const Key weight = layout.add("conv_weight", {20, 1, 5, 5}, true);
  const Key bias = layout.add("conv_bias", {20}, false);

  CHECK(layout.keys() == 2);
  CHECK(layout.floats() == 520);
  CHECK(layout[weight].offset == 0);
  CHECK(layout[weight].count == 500);
  CHECK(layout[bias].offset == 500);
  CHECK(layout[weight].decays);
  CHECK_FALSE(layout[bias].decays);

  std::vector<float> all(layout.floats());
  CHECK(layout.slice(bias, std::span(all)).data() == all.data() + 500);
  CHECK(layout.slice(bias, std::span(all)).size() == 20);
}

TEST_CASE("a bad shape or a name used twice is refused by name") {
  ParameterLayout layout;
  layout.add("w", {2}, true);
  CHECK_THROWS_WITH_AS(layout.add("w", {3}, true), "parameter w: the name is used twice", Error);
  CHECK_THROWS_WITH_AS(layout.add("x", {3, 0}, true), "parameter x: got extent 0, want 1 or more",
                       Error);
  CHECK_THROWS_WITH_AS(layout.add("y", {}, true),
                       "parameter y: got no dimensions, want at least one", Error);
}
