#include "odsgd/base/clock_offset.hpp"

#include <algorithm>

#include "odsgd/base/error.hpp"

namespace odsgd {

ClockOffset estimate_offset(std::span<const PingPong> samples) {
  ODSGD_REQUIRE(!samples.empty(), "clock offset: got no samples, want at least one");
  const auto round_trip_s = [](const PingPong& p) { return p.received_s - p.sent_s; };
  const PingPong& best = *std::min_element(
      samples.begin(), samples.end(),
      [&](const PingPong& a, const PingPong& b) { return round_trip_s(a) < round_trip_s(b); });
  const double half_s = round_trip_s(best) / 2;
  ODSGD_REQUIRE(half_s >= 0,
                "clock offset: got an answer at {} s to a question of {} s, want later",
                best.received_s, best.sent_s);
  const double middle_s = best.sent_s + half_s;
  return {.reference_s = middle_s, .offset_s = best.remote_s - middle_s, .uncertainty_s = half_s};
}

ClockMap make_clock_map(const ClockOffset& start, const ClockOffset& end) {
  const double reference_s = end.reference_s - start.reference_s;
  const double remote_s = reference_s + (end.offset_s - start.offset_s);
  const bool is_one_moment = reference_s == 0;
  ODSGD_REQUIRE(is_one_moment || (reference_s > 0 && remote_s > 0),
                "clock map: got an end {} s (remote clock: {} s) after the start, want later",
                reference_s, remote_s);
  return {.remote_s = start.reference_s + start.offset_s,
          .reference_s = start.reference_s,
          .rate = is_one_moment ? 1 : reference_s / remote_s,
          .uncertainty_s = std::max(start.uncertainty_s, is_one_moment ? 0 : end.uncertainty_s)};
}

}  // namespace odsgd
