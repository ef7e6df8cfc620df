#include <doctest/doctest.h>

#include <atomic>
#include <latch>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/bench/meeting.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

namespace {

constexpr double kTimeout_s = 20;
constexpr int kLeader = 2;  // neither the first nor the last of 4

}  // namespace

TEST_CASE("meeting: the leader gets what every rank says, by rank, and the others nothing") {
  run_ranks(4, [](Endpoint& endpoint) {
    Meeting meeting(endpoint, kLeader, kTimeout_s);

    const std::vector<int> all = meeting.gather(10 * endpoint.rank());

    CHECK(meeting.leads() == (endpoint.rank() == kLeader));
    CHECK(all == (meeting.leads() ? std::vector<int>{0, 10, 20, 30} : std::vector<int>{}));
  });
}

TEST_CASE("meeting: all ranks return what the leader shares") {
  run_ranks(4, [](Endpoint& endpoint) {
    Meeting meeting(endpoint, kLeader, kTimeout_s);

    CHECK(meeting.share(0.5 + endpoint.rank()) == 2.5);
  });
}

TEST_CASE("meeting: nobody proceeds before the leader does") {
  std::atomic<bool> leader_came = false;
  std::latch others_wait(3);

  run_ranks(4, [&](Endpoint& endpoint) {
    Meeting meeting(endpoint, kLeader, kTimeout_s);
    if (meeting.leads()) {
      others_wait.wait();
      leader_came = true;
    } else {
      others_wait.count_down();
    }

    meeting.proceed();

    CHECK(leader_came);
  });
}

TEST_CASE("meeting: what a rank says early is kept, and read in the order in which it was said") {
  std::latch said_early(1);

  run_ranks(3, [&](Endpoint& endpoint) {
    Meeting meeting(endpoint, 0, kTimeout_s);
    if (endpoint.rank() == 2) said_early.wait();  // the leader hears rank 1 three times before
    std::vector<std::vector<int>> heard;
    for (const int round : {10, 20, 30}) heard.push_back(meeting.gather(round + endpoint.rank()));
    if (endpoint.rank() == 1) said_early.count_down();

    if (!meeting.leads()) return;
    CHECK(heard == std::vector<std::vector<int>>{{10, 11, 12}, {20, 21, 22}, {30, 31, 32}});
  });
}

TEST_CASE("meeting: many rounds stay apart when messages are late at random") {
  const auto body = [](Endpoint& endpoint) {
    Meeting meeting(endpoint, kLeader, kTimeout_s);
    for (int round = 0; round < 50; ++round) {
      const std::vector<int> all = meeting.gather(100 * round + endpoint.rank());
      if (meeting.leads()) {
        CHECK(all == std::vector<int>{100 * round, 100 * round + 1, 100 * round + 2});
      }
      CHECK(meeting.share(round + 1000 * endpoint.rank()) == round + 1000 * kLeader);
      meeting.proceed();
    }
  };

  run_ranks(3, body, {.longest = 500us, .seed = 7});
}

TEST_CASE("meeting: a rank that says nothing in time is named") {
  const auto silent = [](int silent_rank, auto call) {
    return error_text([&] {
      run_ranks(3, [&](Endpoint& endpoint) {
        Meeting meeting(endpoint, 0, 0.05);
        if (endpoint.rank() != silent_rank) call(meeting);
      });
    });
  };

  CHECK(silent(2, [](Meeting& m) { m.gather(1); }) ==
        "benchmark: nothing heard from rank 2 for 0.05 s");
  CHECK(silent(0, [](Meeting& m) { m.proceed(); }) ==
        "benchmark: nothing heard from rank 0 for 0.05 s");
}

TEST_CASE("meeting: ranks that speak of different things are told") {
  const auto differ = [](auto of_leader, auto of_other) {
    return error_text([&] {
      run_ranks(2, [&](Endpoint& endpoint) {
        Meeting meeting(endpoint, 0, kTimeout_s);
        meeting.leads() ? of_leader(meeting) : of_other(meeting);
      });
    });
  };

  CHECK(differ([](Meeting& m) { m.gather(1.0); }, [](Meeting& m) { m.gather('a'); }) ==
        "meeting: got 1 bytes, want 8");
  CHECK(differ([](Meeting& m) { m.proceed(); }, [](Meeting& m) { m.share(1.0); }) ==
        "meeting: got 0 bytes, want 8");
}
