#pragma once

#include <span>

namespace odsgd {

// The monotonic clocks of two hosts begin anywhere and run a little differently (some 10 ppm, a
// millisecond in 100 s). One rank, the reference, asks another for its time at the start and at
// the end of the run; what the other rank noted in between is then put on the reference's clock.

/// A message to another rank and its answer, which brings the time there. Seconds.
struct PingPong {
  double sent_s = 0;      ///< on the reference's clock
  double remote_s = 0;    ///< on the other rank's, when it answered
  double received_s = 0;  ///< on the reference's clock
};

/// How far the other rank's clock is ahead, at one moment.
struct ClockOffset {
  double reference_s = 0;    ///< the moment, on the reference's clock
  double offset_s = 0;       ///< remote - reference
  double uncertainty_s = 0;  ///< the true offset is at most so far away
};

/// Takes the remote time as that in the middle of the shortest round trip. Where in the round trip
/// it really was depends on how the two ways share the time, so the error is at most half of it;
/// a longer round trip tells less, and the mean of many would only add their delays.
/// Throws Error without samples, and when an answer came before its question.
ClockOffset estimate_offset(std::span<const PingPong> samples);

/// Puts times of the other rank's clock on the reference's: a line, since the clocks drift apart
/// evenly. As made by default it changes nothing: the reference itself.
struct ClockMap {
  double remote_s = 0;     ///< a moment on both clocks
  double reference_s = 0;  ///< the same moment
  double rate = 1;         ///< seconds of the reference in a remote second
  double uncertainty_s = 0;

  double operator()(double remote_time_s) const {
    return reference_s + (remote_time_s - remote_s) * rate;
  }
};

/// The line through two estimates. Between them its error is at most the larger uncertainty. Of
/// two estimates of the same moment the first counts, and the clocks are taken to run alike.
/// Throws Error when the end lies before the start on either clock.
ClockMap make_clock_map(const ClockOffset& start, const ClockOffset& end);

}  // namespace odsgd
