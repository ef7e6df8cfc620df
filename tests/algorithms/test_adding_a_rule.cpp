// The rule of docs/adding-a-rule.md. Its file is the page's block of code, and the registry that
// finds it is the real one with the page's line at the end of rules.def: see CMakeLists.txt.
#include <doctest/doctest.h>

#include <limits>

#include "algorithms/golden.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// Two workers whose mean gradient at w is 2 w - 1.5: a = (1, 3), c = (0, 1).
Quadratic problem() { return uniform_quadratic(scalar_layout(), 2, {1, 3}, {0, 1}); }

Setup signum(float lr, float momentum, float decay, Clock steps) {
  Setup setup{.algorithm = "signum", .steps = steps};
  setup.settings = {.workers = 2, .lr = lr, .momentum = momentum, .weight_decay = decay};
  return setup;
}

std::vector<float> global_weights(const Setup& setup) {
  std::vector<float> w;
  for (const auto& row : train(setup, problem()).global) w.push_back(row.at(0));
  return w;
}

}  // namespace

TEST_CASE("adding a rule: one file and one line put it at the end of the table") {
  CHECK(algorithms().back().name == "signum");
  CHECK(find_algorithm("signum").summary.starts_with("steps by the sign"));
  CHECK(algorithm_names().front() == "ssgd");
}

TEST_CASE("adding a rule: it trains as computed by hand, its momentum outlasting the gradient") {
  // V = 1.25, 1.375, 0.9375, 0.21875 (gradient -0.5: it goes on down), -0.640625, -0.5703125,
  // -0.03515625 (gradient 0.5: it goes on up).
  const std::vector<float> want{2, 1.5, 1, 0.5, 0, 0.5, 1, 1.5};

  CHECK(global_weights(signum(0.5F, 0.5F, 0, 7)) == want);
}

TEST_CASE("adding a rule: weight decay draws its weights towards zero") {
  // 2 - 0.5 (1 + 0.5 * 2), then 1 - 0.5 (1 + 0.5 * 1), then 0.25 - 0.5 (-1 + 0.5 * 0.25)
  CHECK(global_weights(signum(0.5F, 0, 0.5F, 3)) == std::vector<float>{2, 1, 0.25F, 0.6875F});
}

TEST_CASE("adding a rule: layout, delays and the lack of servers change no bit") {
  const Quadratic random = random_quadratic(mixed_layout(), 2, 1);
  const Setup setup = signum(0.01F, 0.9F, 0.01F, 10);
  const Trace reference = train(setup, random);

  for (const Variant& variant : variants()) {
    CAPTURE(describe(variant));
    check_same(train(with_variant(setup, variant), random), reference);
  }
  Setup replicated = setup;
  replicated.servers = kReplicated;
  check_same(train(replicated, random), reference);
}

TEST_CASE("adding a rule: a gradient that is not a number ends the run") {
  Quadratic broken = problem();
  broken.c[1][0] = std::numeric_limits<float>::quiet_NaN();

  CHECK_THROWS_AS(train(signum(0.5F, 0.5F, 0, 2), broken), Error);
}
