#include <doctest/doctest.h>

#include <cmath>
#include <ctime>

#include "compute/recorded_clock.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

using namespace odsgd;
using odsgd::test::RecordedClock;
using Deadlines = std::vector<double>;

// All times are sums of powers of two, so that they are exact.

TEST_CASE("pretend time: sleeps end when the device is done with what was spent so far") {
  RecordedClock host;
  PretendTime time(host.clock());

  time.begin_step(8);
  time.spend(0.5);
  time.spend(2);
  time.spend_share(0.25);
  time.begin_step(16);
  time.spend_share(0.25);

  CHECK(host.deadlines == Deadlines{1024.5, 1026.5, 1028.5, 1032.5});
}

TEST_CASE("pretend time: it stands while the caller is elsewhere, in a step and between two") {
  RecordedClock host;
  PretendTime time(host.clock());

  host.now_s += 1;
  time.begin_step(8);
  host.now_s += 2;
  time.spend(0.5);
  host.now_s += 4;
  time.spend(0.5);
  time.begin_step(8);
  host.now_s += 8;
  time.spend(0.5);

  CHECK(host.deadlines == Deadlines{1027.5, 1032, 1040.5});
}

TEST_CASE("pretend time: a sleep that ends late does not move the next deadlines") {
  RecordedClock host;
  host.late_s = 0.125;
  PretendTime time(host.clock());

  time.spend(1);
  time.spend(1);
  time.begin_step(8);
  time.spend(1);

  CHECK(host.deadlines == Deadlines{1025, 1026, 1027});
}

TEST_CASE("pretend time: after a sleep that ends very late it sleeps again once it has caught up") {
  RecordedClock host;
  PretendTime time(host.clock());

  host.late_s = 2.5;
  time.spend(1);  // until 1025, awake at 1027.5
  host.late_s = 0;
  time.spend(1);
  time.spend(1);  // done at 1027
  CHECK(host.deadlines == Deadlines{1025});
  host.now_s += 4;  // elsewhere: what is still to be caught up is half a second
  time.spend(1);

  CHECK(host.deadlines == Deadlines{1025, 1032});
}

TEST_CASE("pretend time: nothing to spend is no sleep, and less than nothing an error") {
  RecordedClock host;
  PretendTime time(host.clock());

  time.spend(0);
  CHECK(host.deadlines.empty());
  CHECK_THROWS_WITH_AS(time.spend(-1), "pretend time: got -1 s to spend, want 0 or more", Error);
  CHECK_THROWS_AS(time.spend(std::nan("")), Error);
  CHECK_THROWS_AS(time.spend(INFINITY), Error);
}

TEST_CASE("pretend time: on the host's clock it passes, and uses hardly any processor time") {
  const auto cpu_s = [] {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  };
  PretendTime time;
  const double begin_s = now_s();
  const double cpu_begin_s = cpu_s();

  time.begin_step(0.2);
  for (int i = 0; i < 20; ++i) time.spend_share(0.05);

  CHECK(now_s() - begin_s > 0.199);
  CHECK(cpu_s() - cpu_begin_s < 0.1);
}
