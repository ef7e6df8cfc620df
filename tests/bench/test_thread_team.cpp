#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>

#include "h5/error_text.hpp"
#include "thread_team.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

TEST_CASE("thread team: every thread works once to warm up and once a repetition, on its own") {
  std::atomic<int> calls[3] = {};

  const Samples seconds =
      time_together(3, 4, [&](int i) -> Work { return [&calls, i] { ++calls[i]; }; });

  CHECK(seconds.values.size() == 4);
  for (const auto& count : calls) CHECK(count == 5);
}

TEST_CASE("thread team: the threads work at the same time") {
  std::barrier<> all_inside(3);  // one after the other would wait for ever

  const Samples seconds = time_together(
      3, 2, [&](int) -> Work { return [&all_inside] { all_inside.arrive_and_wait(); }; });

  CHECK(seconds.values.size() == 2);
}

TEST_CASE(
    "thread team: a repetition takes as long as its slowest thread; the warm-up is left out") {
  std::atomic<int> calls = 0;

  const Samples seconds = time_together(2, 2, [&](int i) -> Work {
    if (i == 0) return [] {};
    return [&calls] { std::this_thread::sleep_for(calls++ == 0 ? 400ms : 20ms); };
  });

  CHECK(seconds.min() >= 0.02);
  CHECK(seconds.min() < 0.4);
}

TEST_CASE("thread team: what one thread cannot prepare ends all") {
  std::atomic<int> worked = 0;

  const std::string error = error_text([&] {
    time_together(3, 2, [&](int i) -> Work {
      ODSGD_REQUIRE(i != 1, "thread {}: no memory", i);
      return [&worked] { ++worked; };
    });
  });

  CHECK(error == "thread 1: no memory");
  CHECK(worked == 0);
}
