// Up to which learning rate a rule converges: on 1/2 a w^2 with identical workers, q = lr a and r =
// local lr a, a rule is a linear recursion, and converges when all roots of its polynomial lie
// inside the unit circle.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "support/training.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// The largest |z| with z^n + p[n-1] z^{n-1} + ... + p[0] = 0 (Durand-Kerner).
double spectral_radius(const std::vector<double>& p) {
  const std::size_t n = p.size();
  std::vector<std::complex<double>> roots(n);
  for (std::size_t i = 0; i < n; ++i) roots[i] = std::pow(std::complex<double>(0.4, 0.9), i);
  for (int round = 0; round < 2000; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      std::complex<double> value = 1;
      for (std::size_t j = n; j-- > 0;) value = value * roots[i] + p[j];
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) value /= roots[i] - roots[j];
      }
      roots[i] -= value;
    }
  }
  double largest = 0;
  for (const auto& root : roots) largest = std::max(largest, std::abs(root));
  return largest;
}

/// A rule on the quadratic: how its local learning rate goes with lr, and its polynomial.
struct Case {
  std::string name;
  std::string algorithm;
  LocalRule rule;
  double momentum;
  std::function<double(double q)> r;
  double stable_q;    ///< one side of the limit
  double unstable_q;  ///< the other
  double limit;       ///< in closed form
  int servers = 1;
};

/// SSGD: z^2 - (1 + mu - q) z + mu, and mc is SSGD when all workers are alike; the others with a
/// local step without momentum: (z - 1)(z - mu)(z + r) + q z.
double radius(const Case& c, double q) {
  const double mu = c.momentum;
  if (c.algorithm == "ssgd" || c.rule == LocalRule::kMc) return spectral_radius({mu, q - 1 - mu});
  const double r = c.r(q);
  return spectral_radius({mu * r, mu - r * (1 + mu) + q, r - 1 - mu});
}

double limit_of(const Case& c) {
  double stable = c.stable_q;
  double unstable = c.unstable_q;
  for (int i = 0; i < 40; ++i) {
    const double middle = (stable + unstable) / 2;
    (radius(c, middle) < 1 ? stable : unstable) = middle;
  }
  return (stable + unstable) / 2;
}

std::vector<Case> cases() {
  const auto zero = [](double) { return 0.0; };
  const auto same = [](double q) { return q; };
  const auto constant = [](double r) { return [r](double) { return r; }; };
  const auto none = LocalRule::kNone;
  const auto sgd = LocalRule::kSgd;
  const auto mc = LocalRule::kMc;
  return {
      {"delay alone", "od-sgd", none, 0, zero, 0.3, 5, 1.0},
      {"sgd", "od-sgd", sgd, 0, same, 0.3, 5, 2.0},
      {"sgd, local lr 0.5", "od-sgd", sgd, 0, constant(0.5), 0.6, 5, 1.5},
      {"sgd, local lr 1.5", "od-sgd", sgd, 0, constant(1.5), 1.8, 5, 2.5},
      {"sgd, local lr 1.5, lower end", "od-sgd", sgd, 0, constant(1.5), 1.8, 0.1, 1.0},
      {"delay alone, momentum 0.5", "od-sgd", none, 0.5, zero, 0.1, 5, 0.5},
      {"sgd, momentum 0.5", "od-sgd", sgd, 0.5, same, 0.1, 5, 1.5},
      {"delay alone, momentum 0.9", "od-sgd", none, 0.9, zero, 0.03, 5, 0.1},
      {"sgd, momentum 0.9", "od-sgd", sgd, 0.9, same, 0.03, 5, 0.125},
      {"delay alone, momentum 0.95", "od-sgd", none, 0.95, zero, 0.03, 5, 0.05},
      {"sgd, momentum 0.95", "od-sgd", sgd, 0.95, same, 0.03, 5, 0.0556},
      {"ssgd, momentum 0.9", "ssgd", none, 0.9, same, 0.5, 9, 3.8},
      {"mc, momentum 0.9", "od-sgd", mc, 0.9, same, 0.5, 9, 3.8},
      {"mc, momentum 0.5", "od-sgd", mc, 0.5, same, 0.5, 9, 3.0},
      {"mc without servers, momentum 0.9", "od-sgd", mc, 0.9, same, 0.5, 9, 3.8, kReplicated},
  };
}

/// By how much |W| has grown after enough steps for a factor of about e^8 either way.
double growth(const Case& c, double q) {
  const double steps = 20 + std::ceil(8 / std::abs(std::log(radius(c, q))));
  REQUIRE(steps < 10'000);
  Setup setup{.algorithm = c.algorithm, .steps = static_cast<Clock>(steps), .servers = c.servers};
  setup.settings = {.lr = static_cast<float>(q),
                    .momentum = static_cast<float>(c.momentum),
                    .weight_decay = 0,
                    .local_rule = c.rule,
                    .local_lr = static_cast<float>(c.r(q)),
                    .local_momentum = 0,
                    .warmup_steps = 0};
  const Trace trace = train(setup, uniform_quadratic(scalar_layout(), 1, {1, 1}, {0, 0}));
  double largest = 0;  // the weights oscillate
  for (auto w = trace.global.end() - 20; w != trace.global.end(); ++w) {
    largest = std::max(largest, static_cast<double>(std::abs(w->front())));
  }
  return largest;
}

}  // namespace

TEST_CASE("facts 6 and 7: the polynomials' limits are the known ones") {
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    CHECK(limit_of(c) == doctest::Approx(c.limit).epsilon(1e-3));
  }
}

TEST_CASE("facts 6 and 7: just inside its limit a rule converges, just outside it diverges") {
  for (const Case& c : cases()) {
    if (c.momentum > 0.9 && c.algorithm == "od-sgd") continue;  // thousands of steps near the limit
    CAPTURE(c.name);
    const double limit = limit_of(c);
    const double outwards = c.unstable_q > c.stable_q ? 0.06 : -0.06;
    CHECK(growth(c, limit * (1 - outwards)) < 0.05);
    CHECK(growth(c, limit * (1 + outwards)) > 20);
  }
}
