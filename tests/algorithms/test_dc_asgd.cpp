// The server half of DC-ASGD by hand, without a transport.
#include <doctest/doctest.h>

#include <cmath>

#include "algorithms/slot.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

AlgorithmSettings settings_of(LambdaRule rule) {
  AlgorithmSettings settings;
  settings.workers = 2;
  settings.lr = 0.5F;
  settings.momentum = 0.5F;
  settings.weight_decay = 0.5F;
  settings.lambda_rule = rule;
  settings.lambda = 2;
  settings.mean_square_decay = 0.5F;
  return settings;
}

}  // namespace

TEST_CASE("dc-asgd server: constant lambda by hand") {
  Slot slot("dc-asgd", settings_of(LambdaRule::kConstant), {4});
  // Fresh: nothing to compensate. V = -1/2 (1 + 2) = -3/2.
  slot.push(0, 0, {1}, {4});
  CHECK(slot.weights()[0] == 2.5F);
  // Taken at 4: g' = 2 + 2 * 4 (2.5 - 4) = -10, V = -3/4 - 1/2 (-10 + 5/4) = 29/8.
  slot.push(1, 0, {2}, {4});
  CHECK(slot.weights()[0] == 6.125F);
}

TEST_CASE("dc-asgd server: adaptive lambda by hand, with a mean square for each worker") {
  AlgorithmSettings settings = settings_of(LambdaRule::kAdaptive);
  settings.momentum = 0;
  settings.weight_decay = 0;
  Slot slot("dc-asgd", settings, {4});
  double W = 4;
  const auto push = [&](int worker, double g, double base, double mean_square) {
    const double compensated = g + 2 / std::sqrt(mean_square + 1e-7) * g * g * (W - base);
    W -= 0.5 * compensated;
    slot.push(worker, 0, {static_cast<float>(g)}, {static_cast<float>(base)});
    CHECK(slot.weights()[0] == doctest::Approx(W).epsilon(1e-6));
  };
  push(0, 1, 4, 0.5);             // 1/2 * 1
  push(1, 2, 4, 2);               // 1/2 * 4: worker 0's 1/2 is not in it
  push(0, 3, 3.5, 4.75);          // 1/2 * 1/2 + 1/2 * 9
  push(1, 0.001, 3, 1 + 0.5e-6);  // 1/2 * 2 + 1/2 * 1e-6
}

TEST_CASE("dc-asgd server: epsilon stands inside the root, once, however long gradients are 0") {
  AlgorithmSettings settings = settings_of(LambdaRule::kAdaptive);
  settings.momentum = 0;
  settings.weight_decay = 0;
  settings.mean_square_decay = 1;  // MS stays 0: lambda / sqrt(1e-7) = 6324.5553
  Slot slot("dc-asgd", settings, {1});
  for (int i = 0; i < 10; ++i) slot.push(0, 0, {0}, {1});
  CHECK(slot.weights()[0] == 1);
  slot.push(0, 0, {0.01F}, {0.5F});  // g' = 0.01 + 6324.5553 * 1e-4 * 0.5
  CHECK(slot.weights()[0] == doctest::Approx(1 - 0.5 * (0.01 + 0.316227766)).epsilon(1e-6));
}

TEST_CASE("dc-asgd server: the gradient is clipped before it is compensated") {
  AlgorithmSettings settings = settings_of(LambdaRule::kConstant);
  settings.clip_value = 1;
  Slot slot("dc-asgd", settings, {4}, false);
  // 3 becomes 1: g' = 1 + 2 (4 - 2) = 5.
  slot.push(0, 0, {3}, {2});
  CHECK(slot.weights()[0] == 1.5F);
}
