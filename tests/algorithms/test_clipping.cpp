// Gradients clipped by value, on servers and in local updates, and by length, in workers.
#include <doctest/doctest.h>

#include <cmath>

#include "algorithms/golden.hpp"
#include "algorithms/serial.hpp"
#include "algorithms/setups.hpp"
#include "algorithms/slot.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr int kWorkers = 3;
constexpr Clock kSteps = 12;

Setup setup_of(const std::string& algorithm) {
  return with_variant(distinct_setup(algorithm, kWorkers, kSteps), {2, 1000, {}});
}

double length(const std::vector<float>& v, const std::vector<float>& w) {
  double squares = 0;
  for (std::size_t i = 0; i < v.size(); ++i) squares += std::pow(double{v[i]} - w[i], 2);
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("clip-value: servers clip the mean gradient, before decay is added") {
  AlgorithmSettings settings;
  settings.lr = 1;
  settings.momentum = 0;
  settings.weight_decay = 0.5F;
  settings.clip_value = 0.25F;
  // The mean of 4 and -2 is 1, clipped 1/4; clipped before, they would cancel.
  Slot slot("ssgd", settings, {4, 4, 4});
  slot.update({{4, -4, 0.25F}, {-2, 2, 0.125F}});
  CHECK(slot.weights() == std::vector<float>{4 - 2 - 0.25F, 4 - 2 + 0.25F, 4 - 2 - 0.1875F});
}

TEST_CASE("clip-value: every rule follows the serial reference, and clips something") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 151);
  const auto check = [&](Setup setup, const auto& serial) {
    const SerialTrace plain = serial(problem, setup.settings, kSteps);
    setup.settings.clip_value = 0.5F;
    const Trace got = train(setup, problem);
    check_follows(got, serial(problem, setup.settings, kSteps));
    CHECK(largest_difference(got.global, plain.global) > 1e-2);
    CHECK(largest_difference(got.local[1], plain.local[1]) > 1e-2);
  };
  for (const LocalRule rule :
       {LocalRule::kSgd, LocalRule::kMc, LocalRule::kDcC, LocalRule::kDcA, LocalRule::kDcNorm}) {
    CAPTURE(local_rule_names()[static_cast<std::size_t>(rule)]);
    Setup setup = setup_of("od-sgd");
    setup.settings.local_rule = rule;
    setup.settings.lambda = 0.2F;
    check(setup, serial_od_sgd);
    setup.settings.local_scale = LocalScale::kGlobal;  // scaled first, then clipped
    setup.settings.local_lr = 0.15F;
    check(setup, serial_od_sgd);
  }
  Setup glu = setup_of("ssd-sgd");
  glu.settings.local_rule = LocalRule::kGlu;
  check(glu, serial_ssd_sgd);
  check(setup_of("local-sgd"), serial_local_sgd);
  check(setup_of("easgd"), serial_easgd);
}

TEST_CASE("clip-norm: a longer gradient is cut to that length, over all keys together") {
  const Quadratic problem = random_quadratic(mixed_layout(), 1, 152);
  Setup setup = distinct_setup("ssgd", 1, kSteps);
  setup.settings.lr = 1;
  setup.settings.momentum = 0;
  setup.settings.weight_decay = 0;
  setup.settings.clip_norm = 3;  // gradients are about 40 long
  const Trace trace = train(setup, problem);
  for (Clock t = 0; t < kSteps; ++t) {
    CHECK(length(trace.global[t], trace.global[t + 1]) == doctest::Approx(3).epsilon(1e-5));
  }
}

TEST_CASE("clip-norm: each worker's gradient by itself, as the serial reference does") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 153);
  const Setup plain = setup_of("od-sgd");
  const SerialTrace longest = serial_od_sgd(problem, plain.settings, kSteps);
  for (const float clip_norm : {10.0F, 40.0F}) {
    CAPTURE(clip_norm);
    Setup setup = plain;
    setup.settings.clip_norm = clip_norm;
    const Trace got = train(setup, problem);
    check_follows(got, serial_od_sgd(problem, setup.settings, kSteps));
    CHECK(largest_difference(got.global, longest.global) > 1e-3);
  }
}

TEST_CASE("clip-norm: shorter gradients stay as they are, bit for bit") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 154);
  for (const std::string algorithm : {"ssgd", "od-sgd", "local-sgd"}) {
    CAPTURE(algorithm);
    const Setup setup = setup_of(algorithm);
    Setup clipped = setup;
    clipped.settings.clip_norm = 1000;
    check_same(train(clipped, problem), train(setup, problem));
  }
}
