#include "clock_alignment.hpp"

#include <array>
#include <utility>

namespace odsgd {
namespace {

/// The shortest of so many round trips is not far from the shortest there is.
constexpr std::size_t kRoundTrips = 20;

}  // namespace

ClockAlignment::ClockAlignment(Endpoint& endpoint, int reference, std::function<double()> clock)
    : endpoint_(endpoint), reference_(reference), clock_(std::move(clock)) {}

bool ClockAlignment::take(const Message& note) {
  switch (topic_of(note)) {
    case Topic::kClockRequest: {
      auto round_trip = read_note<PingPong>(note);
      round_trip.remote_s = clock_();
      post_note(endpoint_, note.source,
                make_note(endpoint_.buffers(), Topic::kClockAnswer, round_trip));
      return true;
    }
    case Topic::kClockAnswer: {
      // The time is taken here: the thread that waits may be woken late.
      auto round_trip = read_note<PingPong>(note);
      round_trip.received_s = clock_();
      notes_.put(make_note(endpoint_.buffers(), Topic::kClockAnswer, round_trip));
      return true;
    }
    case Topic::kClockMap:
      notes_.put(note);
      return true;
    default:
      return false;
  }
}

ClockOffset ClockAlignment::measure(int rank) {
  std::array<PingPong, kRoundTrips> samples;
  for (PingPong& sample : samples) {
    post_note(endpoint_, rank,
              make_note(endpoint_.buffers(), Topic::kClockRequest, PingPong{.sent_s = clock_()}));
    sample = read_note<PingPong>(notes_.wait());
  }
  return estimate_offset(samples);
}

void ClockAlignment::begin() {
  for (int rank = 0; rank < endpoint_.size(); ++rank) {
    if (rank != reference_) begin_[rank] = measure(rank);
  }
}

ClockMap ClockAlignment::end() {
  if (!is_reference()) {
    return read_note<ClockMap>(notes_.wait());
  }
  for (const auto& [rank, offset] : begin_) {
    post_note(
        endpoint_, rank,
        make_note(endpoint_.buffers(), Topic::kClockMap, make_clock_map(offset, measure(rank))));
  }
  return {};
}

}  // namespace odsgd
