#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "odsgd/base/random.hpp"

using namespace odsgd;

TEST_CASE("a value depends on seed, stream and index alone") {
  const Random a(7, 3);
  const Random b(7, 3);

  CHECK(a.bits(1000) == b.bits(1000));
  CHECK(a.bits(0) != a.bits(1));
  CHECK(a.bits(0) != Random(7, 4).bits(0));
  CHECK(a.bits(0) != Random(8, 3).bits(0));
}

TEST_CASE("uniform values fill [0, 1) evenly") {
  const Random random(1, 0);
  constexpr int kCount = 100000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kCount; ++i) {
    const double u = random.uniform(static_cast<std::uint64_t>(i));
    REQUIRE(u >= 0.0);
    REQUIRE(u < 1.0);
    sum += u;
    squares += u * u;
  }
  // Five standard deviations of the mean of a uniform variable: 5 / sqrt(12 * 100000).
  CHECK(sum / kCount == doctest::Approx(0.5).epsilon(0.0046 / 0.5));
  CHECK(squares / kCount == doctest::Approx(1.0 / 3).epsilon(0.02));
}

TEST_CASE("below stays under its bound and reaches every value") {
  const Random random(5, 5);
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 200; ++i) seen.insert(random.below(i, 7));
  CHECK(seen == std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("a permutation holds every number once and changes with its stream") {
  const auto first = permutation(1000, 1, 0);
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < 1000; ++i) CHECK(sorted[i] == i);
  CHECK(first == permutation(1000, 1, 0));
  CHECK(first != permutation(1000, 1, 1));
  CHECK(first != permutation(1000, 2, 0));
  CHECK(permutation(0, 1, 0).empty());
}
