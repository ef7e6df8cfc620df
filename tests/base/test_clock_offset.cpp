#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/base/clock_offset.hpp"

using namespace odsgd;
using odsgd::test::error_text;
using odsgd::test::says;

namespace {

/// Another host's clock: 1000 s ahead of the reference at its time 0, and faster by `drift`.
struct OtherClock {
  double drift = 0;

  double at(double reference_s) const { return 1000 + reference_s * (1 + drift); }
  double offset(double reference_s) const { return at(reference_s) - reference_s; }

  PingPong ask(double sent_s, double there_s, double back_s) const {
    return {.sent_s = sent_s,
            .remote_s = at(sent_s + there_s),
            .received_s = sent_s + there_s + back_s};
  }
};

}  // namespace

TEST_CASE("clock offset: with equal ways it is exact, half the round trip uncertain") {
  const std::vector<PingPong> samples{{.sent_s = 2, .remote_s = 10.25, .received_s = 2.5}};

  const ClockOffset estimate = estimate_offset(samples);

  CHECK(estimate.reference_s == 2.25);
  CHECK(estimate.offset_s == 8);
  CHECK(estimate.uncertainty_s == 0.25);
}

TEST_CASE("clock offset: the shortest round trip counts, wherever it stands") {
  const OtherClock other;
  const std::vector<PingPong> samples{other.ask(0, 0.5, 0), other.ask(1, 0.0625, 0.0625),
                                      other.ask(2, 0, 0.25)};

  const ClockOffset estimate = estimate_offset(samples);

  CHECK(estimate.reference_s == 1.0625);
  CHECK(estimate.offset_s == 1000);
  CHECK(estimate.uncertainty_s == 0.0625);
}

TEST_CASE("clock offset: unequal ways err by half their difference, within the uncertainty") {
  const OtherClock other;
  const double there_s = 0.375;
  const double back_s = 0.125;

  const ClockOffset late = estimate_offset(std::vector{other.ask(4, there_s, back_s)});
  const ClockOffset early = estimate_offset(std::vector{other.ask(4, back_s, there_s)});
  const ClockOffset one_way = estimate_offset(std::vector{other.ask(4, 0.5, 0)});

  CHECK(late.offset_s == 1000.125);
  CHECK(early.offset_s == 999.875);
  CHECK(late.uncertainty_s == 0.25);
  CHECK(early.uncertainty_s == 0.25);
  CHECK(one_way.offset_s == 1000 + one_way.uncertainty_s);
}

TEST_CASE("clock offset: no samples and an answer before its question are errors") {
  CHECK(says(error_text([] { estimate_offset({}); }), "clock offset: got no samples"));
  CHECK(says(error_text([] {
               estimate_offset(
                   std::vector<PingPong>{{.sent_s = 2, .remote_s = 5, .received_s = 1}});
             }),
             "got an answer at 1 s to a question of 2 s, want later"));
}

TEST_CASE("clock map: a clock that drifts is followed through the whole run") {
  const OtherClock other{.drift = 1.0 / 4096};
  const ClockOffset start = estimate_offset(std::vector{other.ask(0, 0, 0)});
  const ClockOffset end = estimate_offset(std::vector{other.ask(4096, 0, 0)});
  REQUIRE(end.offset_s == 1001);

  const ClockMap map = make_clock_map(start, end);

  for (const double reference_s : {0.0, 1.0, 1000.0, 2048.0, 4096.0, 5000.0}) {
    CAPTURE(reference_s);
    CHECK(std::abs(map(other.at(reference_s)) - reference_s) < 1e-9);
  }
  // The offset of the start alone would be a second off at the end.
  CHECK(other.at(4096) - start.offset_s == 4097);
}

TEST_CASE("clock map: with unequal ways no time in the run errs by more than the uncertainty") {
  const OtherClock other{.drift = 5e-5};
  const ClockOffset start = estimate_offset(std::vector{other.ask(10, 3e-4, 1e-4)});
  const ClockOffset end = estimate_offset(std::vector{other.ask(70, 0, 2e-4)});

  const ClockMap map = make_clock_map(start, end);

  CHECK(map.uncertainty_s == doctest::Approx(2e-4));
  for (double reference_s = 10.001; reference_s < 70; reference_s += 1) {
    CHECK(std::abs(map(other.at(reference_s)) - reference_s) < map.uncertainty_s);
  }
  CHECK(std::abs(map(other.at(10.001)) - 10.001) > 0.5e-4);  // the error is real
}

TEST_CASE("clock map: one estimate gives an offset and no drift, none gives the reference") {
  const ClockOffset only{.reference_s = 5, .offset_s = -3, .uncertainty_s = 0.5};

  const ClockMap map = make_clock_map(only, only);

  CHECK(map(2) == 5);
  CHECK(map(100) == 103);
  CHECK(map.uncertainty_s == 0.5);
  CHECK(ClockMap()(1.25) == 1.25);
}

TEST_CASE("clock map: an end before the start is an error on either clock") {
  const ClockOffset start{.reference_s = 5, .offset_s = 1};

  CHECK(says(error_text([&] { make_clock_map(start, {.reference_s = 4, .offset_s = 9}); }),
             "clock map: got an end -1 s (remote clock: 7 s) after the start, want later"));
  CHECK(says(error_text([&] { make_clock_map(start, {.reference_s = 6, .offset_s = -1}); }),
             "got an end 1 s (remote clock: -1 s) after the start"));
}
