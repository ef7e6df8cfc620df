#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/golden.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// The largest distance of a decaying float from `want`; the others must follow the row without
/// decay.
double distance(const ParameterLayout& layout, std::span<const float> got, double want) {
  double largest = 0;
  for (Key k = 0; k < layout.keys(); ++k) {
    if (!layout[k].decays) continue;
    for (const float w : layout.slice(k, got)) largest = std::max(largest, std::abs(w - want));
  }
  return largest;
}

}  // namespace

TEST_CASE("golden: every rule follows its known trajectory, in global and in local weights") {
  const Quadratic problem = golden_problem();
  for (const GoldenRow& row : golden_rows()) {
    CAPTURE(row.name);
    const Trace trace = train(row.setup, problem);
    for (std::size_t t = 0; t < row.global.size(); ++t) {
      CAPTURE(t);
      CHECK(distance(problem.layout, trace.global[t], row.global[t]) < 2e-6);
    }
    CHECK(distance(problem.layout, trace.global[8], row.global_8) < 2e-6);
    CHECK(distance(problem.layout, trace.local[0][6], row.local_6[0]) < 2e-6);
    CHECK(distance(problem.layout, trace.local[1][6], row.local_6[1]) < 2e-6);
  }
}

TEST_CASE("golden: weight decay acts on weights and not on biases") {
  const Quadratic problem = golden_problem();
  const auto rows = golden_rows();
  const Trace plain = train(rows[2].setup, problem);
  const Trace decayed = train(rows[4].setup, problem);
  REQUIRE(rows[4].setup.settings.weight_decay > 0);
  for (Key k = 0; k < problem.layout.keys(); ++k) {
    CAPTURE(problem.layout[k].name);
    const auto key_of = [&](const std::vector<float>& all) {
      return problem.layout.slice(k, std::span<const float>(all));
    };
    CHECK(same_bits(key_of(plain.global[8]), key_of(decayed.global[8])) !=
          problem.layout[k].decays);
    CHECK(same_bits(key_of(plain.local[1][7]), key_of(decayed.local[1][7])) !=
          problem.layout[k].decays);
  }
}

TEST_CASE("golden: servers, roles, message sizes and delays do not change a bit") {
  const Quadratic problem = golden_problem();
  for (const GoldenRow& row : golden_rows()) {
    CAPTURE(row.name);
    const Trace reference = train(row.setup, problem);
    for (const Variant& variant : variants()) {
      CAPTURE(describe(variant));
      check_same(train(with_variant(row.setup, variant), problem), reference);
    }
  }
}

TEST_CASE("golden: asking for the global weights after each step does not change the steps") {
  const Quadratic problem = golden_problem();
  for (const GoldenRow& row : golden_rows()) {
    for (const Clock warmup : {0UL, 2UL}) {
      CAPTURE(row.name);
      CAPTURE(warmup);
      Setup setup = row.setup;
      setup.settings.warmup_steps = warmup;
      const Trace often = train(setup, problem);
      setup.reads_every_step = false;
      const Trace once = train(setup, problem);
      CHECK(once.local == often.local);
      CHECK(same_bits(once.global.back(), often.global.back()));
    }
  }
}
