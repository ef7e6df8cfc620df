#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "algorithms/golden.hpp"
#include "algorithms/setups.hpp"
#include "odsgd/base/error.hpp"
#include "support/same_bits.hpp"

using namespace odsgd;
using namespace odsgd::test;
using namespace std::chrono_literals;

namespace {

constexpr int kWorkers = 3;
constexpr Clock kSteps = 12;

Setup setup_of(Clock staleness, const Variant& variant) {
  Setup setup = distinct_setup("ssp", kWorkers, kSteps);
  setup.settings.lr = 0.02F;
  setup.settings.staleness = staleness;
  setup.reads_every_step = false;
  return with_variant(setup, variant);
}

/// How many steps each worker has begun.
class Begun {
 public:
  void begin(int worker) {
    const std::lock_guard lock(mutex_);
    ++steps_[static_cast<std::size_t>(worker)];
    changed_.notify_all();
  }

  Clock fewest() {
    const std::lock_guard lock(mutex_);
    return *std::min_element(steps_.begin(), steps_.end());
  }

  void wait_for_others(int worker, Clock steps) {
    std::unique_lock lock(mutex_);
    const bool came = changed_.wait_for(lock, 20s, [&] {
      for (std::size_t m = 0; m < steps_.size(); ++m) {
        if (m != static_cast<std::size_t>(worker) && steps_[m] < steps) return false;
      }
      return true;
    });
    ODSGD_REQUIRE(came, "test: no other worker began {} steps, want it", steps);
  }

  std::vector<Clock> steps() {
    const std::lock_guard lock(mutex_);
    return steps_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Clock> steps_ = std::vector<Clock>(kWorkers);
};

}  // namespace

TEST_CASE("ssp: with bound 0 all workers begin step t with the weights of M t updates") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 121);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Trace trace = train(setup_of(0, {2, 1000, {300us, seed}}), problem);
    for (Clock t = 0; t < kSteps; ++t) {
      CAPTURE(t);
      CHECK(same_bits(trace.local[1][t], trace.local[0][t]));
      CHECK(same_bits(trace.local[2][t], trace.local[0][t]));
    }
  }
  const Trace trace =
      train(setup_of(0, {1, 65536, {300us, 6}}), random_quadratic(scalar_layout(), kWorkers, 122));
  CHECK(trace.staleness == StalenessCounts{{0, kSteps}, {1, kSteps}, {2, kSteps}});
}

TEST_CASE("ssp: a worker that comes late begins with W^0 too, without steps of the others in it") {
  const Quadratic problem = random_quadratic(scalar_layout(), kWorkers, 124);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Setup setup = setup_of(seed % 2, {1, 65536, {300us, seed}});
    setup.steps = 1;
    const Trace trace = train(setup, problem);
    for (const auto& local : trace.local) CHECK(same_bits(local[0], problem.initial));
  }
}

TEST_CASE(
    "ssp: a worker begins step t only when all have pushed step t - s - 1, and then it does") {
  const Quadratic problem = random_quadratic(mixed_layout(), kWorkers, 123);
  for (const Clock s : {0UL, 1UL, 3UL}) {
    CAPTURE(s);
    Begun begun;
    std::vector<Clock> at_rest;
    Setup setup = setup_of(s, {2, 1000, {100us, 7}});
    setup.on_weights = [&](int worker, Clock t) {
      begun.begin(worker);
      // A step that all have pushed all have begun, and begun one more than they have pushed.
      ODSGD_REQUIRE(begun.fewest() + s >= t, "test: worker {} begins step {}, others {}", worker, t,
                    begun.fewest());
      if (worker == 0 && t == 2) {
        // While worker 0 has pushed 2 steps, the others begin steps up to 2 + s, and there they
        // stay.
        begun.wait_for_others(0, 2 + s + 1);
        std::this_thread::sleep_for(20ms);
        at_rest = begun.steps();
      }
    };
    const Trace trace = train(setup, problem);
    CHECK(at_rest == std::vector<Clock>{3, 3 + s, 3 + s});
    CHECK(trace.staleness.rbegin()->first <= (kWorkers - 1) * (2 * s + 1));
  }
}
