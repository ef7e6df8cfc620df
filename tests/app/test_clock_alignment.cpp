#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "clock_alignment.hpp"
#include "h5/error_text.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr int kRanks = 3;
constexpr int kReference = 1;

/// By rank: how far its clock is ahead, and by how much it is too fast.
constexpr double kAhead_s[kRanks] = {-50, 7, 1000};
constexpr double kDrift[kRanks] = {0, 0, 1e-3};

double clock_of(std::size_t rank) { return now_s() * (1 + kDrift[rank]) + kAhead_s[rank]; }

/// Dispatches to an alignment until told to stop.
class Dispatch {
 public:
  Dispatch(Endpoint& endpoint, ClockAlignment& clocks)
      : thread_([&](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            if (const auto note = endpoint.receive(std::chrono::milliseconds(1)))
              CHECK(clocks.take(*note));
          }
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace

TEST_CASE("clock alignment: every rank's times become the reference's, within what it says") {
  std::atomic<int> done = 0;
  ClockMap maps[kRanks];
  run_ranks(kRanks, [&](Endpoint& endpoint) {
    const auto rank = static_cast<std::size_t>(endpoint.rank());
    ClockAlignment clocks(endpoint, kReference, [&] { return clock_of(rank); });
    const Dispatch dispatch(endpoint, clocks);
    if (endpoint.rank() == kReference) {
      clocks.begin();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }

    maps[rank] = clocks.end();

    for (++done; done < kRanks;) std::this_thread::yield();
  });

  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    CAPTURE(rank);
    const double now = now_s();  // on both clocks; a little after the last measurement
    const double there_s = now * (1 + kDrift[rank]) + kAhead_s[rank];
    const double here_s = now + kAhead_s[kReference];
    CHECK(maps[rank].uncertainty_s < 0.01);
    CHECK(std::abs(maps[rank](there_s) - here_s) <= 3 * maps[rank].uncertainty_s + 1e-6);
  }
  CHECK(maps[kReference].uncertainty_s == 0);
  CHECK(maps[0].uncertainty_s > 0);
}

TEST_CASE("clock alignment: notes about other things are left to others") {
  run_ranks(1, [&](Endpoint& endpoint) {
    ClockAlignment clocks(endpoint, 0);
    CHECK_FALSE(clocks.take(make_note(endpoint.buffers(), Topic::kProceed, 1)));
  });
}

TEST_CASE("clock alignment: a broken exchange ends the wait with its error") {
  const auto text = error_text([] {
    run_ranks(2, [](Endpoint& endpoint) {
      ClockAlignment clocks(endpoint, 0);
      clocks.fail(std::make_exception_ptr(Error("the net is down")));
      clocks.end();
    });
  });

  CHECK(text == "the net is down");
}
