// Local updates by hand, on single floats: what a training on quadratics is too coarse to show.
#include <doctest/doctest.h>

#include <cmath>

#include "odsgd/algorithms/local_update.hpp"

using namespace odsgd;

namespace {

AlgorithmSettings settings_of(LocalRule rule) {
  AlgorithmSettings settings;
  settings.local_rule = rule;
  settings.local_lr = 0.5F;
  settings.local_momentum = 0.5F;
  settings.momentum = 0.25F;
  settings.weight_decay = 0.5F;
  settings.lambda = 2;
  settings.mean_square_decay = 0.5F;
  settings.dc_reference = DcReference::kPrevGlobal;
  return settings;
}

ParameterLayout one_float(bool decays) {
  ParameterLayout layout;
  layout.add("key", {1}, decays);
  return layout;
}

/// w after an update from b, with p before it and g taken at w.
float updated(LocalUpdate& update, float b, float p, float w, float g) {
  update.update(0, 0, &g, {.base = &b, .previous = &p, .w = &w});
  return w;
}

}  // namespace

TEST_CASE("local update, sgd: velocity lives on, from whatever base") {
  const ParameterLayout layout = one_float(true);
  LocalUpdate update(layout, settings_of(LocalRule::kSgd));
  CHECK(updated(update, 4, 0, 0, 1) == 4 - 1.5F);       // v = -1/2 (1 + 2)
  CHECK(updated(update, 8, 0, 0, 2) == 8 - 0.75F - 3);  // v = -3/4 - 1/2 (2 + 4)
}

TEST_CASE("local update, dc-c: by hand, by either reference") {
  const ParameterLayout layout = one_float(true);
  AlgorithmSettings settings = settings_of(LocalRule::kDcC);
  // b = 4, p = 3.5, w = 5, g = 3: u = -1/2 (3 + 2 * 9 D + 2).
  LocalUpdate previous(layout, settings);
  CHECK(updated(previous, 4, 3.5F, 5, 3) == 4 - 0.5F * (3 + 9 + 2));
  settings.dc_reference = DcReference::kCompute;
  LocalUpdate compute(layout, settings);
  CHECK(updated(compute, 4, 3.5F, 5, 3) == 4 - 0.5F * (3 - 18 + 2));
}

TEST_CASE("local update, dc-a: epsilon is added in the recursion, and so in every step") {
  const ParameterLayout layout = one_float(false);
  LocalUpdate update(layout, settings_of(LocalRule::kDcA));
  const double g = 1e-4F;
  double mean_square = 0;
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    mean_square = 0.5 * mean_square + 0.5 * g * g + 1e-7;
    // D = 1024 at b = 0.
    const double u = -0.5 * (g + 2 / std::sqrt(mean_square) * g * g * 1024);
    CHECK(updated(update, 0, -1024, 0, static_cast<float>(g)) == doctest::Approx(u).epsilon(1e-5));
  }
}

TEST_CASE("local update, dc-norm: epsilon keeps lambda finite where nothing has moved") {
  const ParameterLayout layout = one_float(false);
  LocalUpdate update(layout, settings_of(LocalRule::kDcNorm));
  // g = 2^-10, D = 2^-8: |g g D| = 2^-28 = 0.37e-8.
  const double g = std::pow(2, -10);
  const double term = std::pow(2, -28);
  const double u = -0.5 * (g + 2 * g / (term + 1e-8) * term);
  const float D = 0x1p-8F;
  CHECK(updated(update, D, 0, 0, 0x1p-10F) == doctest::Approx(D + u).epsilon(1e-6));
  CHECK(updated(update, 4, 4, 0, 1) == 3.5F);
  CHECK(updated(update, 4, 0, 0, 0) == 4);
}

TEST_CASE("local update, dc-norm: norms are over the key, not over all parameters") {
  ParameterLayout layout;
  layout.add("key", {2}, false);
  layout.add("other", {1}, false);
  LocalUpdate update(layout, settings_of(LocalRule::kDcNorm));
  // |g| = 5, g g D = (9, 16) of length sqrt(337): lambda = 10 / sqrt(337).
  const float g[] = {3, 4};
  const float b[] = {1, 1};
  const float p[] = {0, 0};
  float w[] = {0, 0};
  update.update(0, 0, g, {.base = b, .previous = p, .w = w});
  const double lambda = 10 / std::sqrt(337);
  CHECK(w[0] == doctest::Approx(1 - 0.5 * (3 + lambda * 9)).epsilon(1e-6));
  CHECK(w[1] == doctest::Approx(1 - 0.5 * (4 + lambda * 16)).epsilon(1e-6));
}

TEST_CASE(
    "local update, mc: the servers' momentum times their last step, whose length the gap is") {
  const ParameterLayout layout = one_float(true);
  LocalUpdate one(layout, settings_of(LocalRule::kMc));
  CHECK(updated(one, 4, 2, 0, 1) == 4 + 0.25F * 2 - 1.5F);

  AlgorithmSettings settings = settings_of(LocalRule::kMc);
  settings.delay_steps = 4;
  LocalUpdate several(layout, settings);
  const float g = 1;
  const float b = 4;
  const float p = 2;
  float w = 0;
  several.update(0, 0, &g, {.base = &b, .previous = &p, .w = &w, .gap = 4});
  CHECK(w == 4 + 0.25F * 0.5F - 1.5F);  // u = -11/8
  several.update(0, 1, &g, {.base = &w, .previous = &p, .w = &w, .is_pulled = false});
  CHECK(w == 2.625F + 0.25F * -1.375F - 0.5F * (1 + 1.3125F));
}

TEST_CASE("local update, glu: by hand") {
  const ParameterLayout layout = one_float(true);
  AlgorithmSettings settings = settings_of(LocalRule::kGlu);
  settings.delay_steps = 4;  // D = 4 * 1/2
  LocalUpdate update(layout, settings);
  // b = 4, p = 8: G = ((1 - 1/4) 8 - 4) / 2 = 1; u = -1/2 (2 * 3 + 1/2 * 1 + 1/2 * 4) = -17/4.
  CHECK(updated(update, 4, 8, 0, 3) == -0.25F);
  // v = -17/8 - 17/4.
  CHECK(updated(update, 4, 8, 0, 3) == 4 - 6.375F);
  // Without a rate there is nothing to divide by, and no step but the velocity's.
  settings.local_lr = 0;
  LocalUpdate resting(layout, settings);
  CHECK(updated(resting, 4, 8, 0, 3) == 4);
}
