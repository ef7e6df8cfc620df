#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/bench/meeting.hpp"
#include "odsgd/transport/in_process.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr int kRanks = 4;
constexpr int kLeader = 2;

}  // namespace

TEST_CASE("meeting: the leader gathers what all say, by rank, and the others get nothing") {
  run_ranks(kRanks, [](Endpoint& endpoint) {
    Meeting meeting(endpoint, kLeader, 20);

    const std::vector<int> said = meeting.gather(10 * endpoint.rank());

    CHECK(meeting.leads() == (endpoint.rank() == kLeader));
    CHECK(said == (meeting.leads() ? std::vector<int>{0, 10, 20, 30} : std::vector<int>{}));
  });
}

TEST_CASE("meeting: all get what the leader shares") {
  run_ranks(kRanks, [](Endpoint& endpoint) {
    Meeting meeting(endpoint, kLeader, 20);

    CHECK(meeting.share(1.5 + endpoint.rank()) == 1.5 + kLeader);
  });
}

TEST_CASE("meeting: what an early rank says is kept until it is asked for") {
  run_ranks(kRanks, [](Endpoint& endpoint) {
    Meeting meeting(endpoint, kLeader, 20);
    if (endpoint.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));

    // The others are in the second round long before rank 0 is in the first.
    const auto first = meeting.gather(endpoint.rank());
    const auto second = meeting.gather(100 + endpoint.rank());

    if (meeting.leads()) {
      CHECK(first == std::vector<int>{0, 1, 2, 3});
      CHECK(second == std::vector<int>{100, 101, 102, 103});
    }
    meeting.proceed();
  });
}

TEST_CASE("meeting: a rank that does not come is named") {
  InProcessHub hub(2);
  const auto endpoint = hub.endpoint(0);
  Meeting meeting(*endpoint, 0, 0.05);

  CHECK(error_text([&] { meeting.gather(1); }) ==
        "benchmark: nothing heard from rank 1 for 0.05 s");
}

TEST_CASE("meeting: ranks that speak of different things are an error") {
  CHECK(says(error_text([] {
               run_ranks(2, [](Endpoint& endpoint) {
                 Meeting meeting(endpoint, 0, 20);
                 if (endpoint.rank() == 0) {
                   meeting.gather(std::int64_t{1});
                 } else {
                   meeting.gather(std::int32_t{1});
                 }
               });
             }),
             "meeting: got 4 bytes, want 8"));
}
