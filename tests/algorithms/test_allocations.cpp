// A program of its own, since it replaces operator new: every allocation of every thread is
// counted.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>

#include "algorithms/setups.hpp"
#include "odsgd/algorithms/registry.hpp"
#include "odsgd/ps/exchange.hpp"
#include "support/quadratic.hpp"
#include "support/ranks.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

std::atomic<std::size_t> allocations = 0;

// Not inline: gcc would see free() of what came from new, and warn.
[[gnu::noinline]] void release(void* memory) noexcept { std::free(memory); }

void* allocate(std::size_t bytes, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace {

struct Case {
  std::string algorithm;
  Roles roles;
  ExchangeSettings exchange;
  LocalRule rule = LocalRule::kMc;
};

constexpr Clock kFirstSteps = 10;
constexpr Clock kWindowSteps = 20;
constexpr int kWindows = 10;

/// The fewest allocations of the whole process in 20 steps of all ranks. The fewest: what a queue
/// or a pool needs at most depends on how ranks happen to meet, and may grow once more at any time;
/// what allocates in each step does so in every window.
std::size_t fewest_allocations(const Case& c) {
  const Quadratic problem = random_quadratic(mixed_layout(), c.roles.workers(), 3);
  AlgorithmSettings settings = distinct_setup(c.algorithm, c.roles.workers(), 1000).settings;
  settings.local_rule = c.rule;
  const ShardMap shards(problem.layout, c.roles.shards(), 500);
  std::barrier meeting(c.roles.workers());
  std::size_t fewest = SIZE_MAX;
  run_ranks(c.roles.ranks(), [&](Endpoint& endpoint) {
    Exchange exchange(endpoint, problem.layout, shards, c.roles, problem.initial,
                      find_algorithm(c.algorithm).make_server(settings), c.exchange);
    const auto worker = c.roles.worker_of(endpoint.rank());
    if (!worker) {
      exchange.serve();
      return;
    }
    exchange.start();
    Clock t = 0;
    const auto gradient = [&](std::span<const float> w, std::span<float> g, const KeyHooks& hooks) {
      for (Key k = 0; k < problem.layout.keys(); ++k) hooks.before_forward(k);
      for (Key k = problem.layout.keys(); k-- > 0;) {
        hooks.before_backward(k);
        const Parameter& p = problem.layout[k];
        for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
          g[i] = problem.gradient(*worker, t, i, w[i]);
        }
        hooks.after_backward(k);
      }
      return StepResult{};
    };
    const auto rule = find_algorithm(c.algorithm).make_worker(problem.layout, settings);
    Worker me(exchange.client(), problem.layout, c.roles.workers(), gradient);
    const AbandonOnError guard(exchange);
    const auto run = [&](Clock steps) {
      for (const Clock end = t + steps; t < end; ++t) rule->step(me, t);
      meeting.arrive_and_wait();
    };
    run(kFirstSteps);
    for (int window = 0; window < kWindows; ++window) {
      const std::size_t before = allocations.load();
      meeting.arrive_and_wait();
      run(kWindowSteps);
      if (*worker == 0) fewest = std::min(fewest, allocations.load() - before);
      meeting.arrive_and_wait();
    }
    exchange.finish();
  });
  return fewest;
}

}  // namespace

TEST_CASE("allocations: the count sees them") {
  const std::size_t before = allocations.load();
  const auto number = std::make_unique<int>(1);
  CHECK(allocations.load() == before + 1);
  CHECK(*number == 1);
}

TEST_CASE("allocations: once it goes steadily, an exchange makes none") {
  const ExchangeSettings plain{.timeout_s = 100};
  const ExchangeSettings crew{.timeout_s = 100, .server_threads = 2};
  const ExchangeSettings short_pushes{.timeout_s = 100, .push_codec = Codec::kBfloat16};
  const ExchangeSettings two_bit{.timeout_s = 100, .push_codec = Codec::kTwoBit, .threshold = 0.5F};
  // Not asgd: each staleness that is new is an entry in its server's histogram.
  for (const std::string algorithm : {"ssgd", "od-sgd"}) {
    for (const ExchangeSettings& exchange : {plain, crew, short_pushes, two_bit}) {
      for (const Roles& roles :
           {Roles::dedicated(3, 1), Roles::colocated(2), Roles::replicated(2)}) {
        if (roles.is_replicated() && exchange.push_codec != Codec::kFloat32) continue;
        CAPTURE(algorithm);
        CAPTURE(exchange.server_threads);
        CAPTURE(static_cast<int>(exchange.push_codec));
        CAPTURE(roles.is_colocated());
        CAPTURE(roles.is_replicated());
        CHECK(fewest_allocations({algorithm, roles, exchange}) == 0);
      }
    }
  }
}

TEST_CASE("allocations: nor does any synchronous rule, or any local update") {
  const ExchangeSettings plain{.timeout_s = 100};
  const ExchangeSettings two_bit{.timeout_s = 100, .threshold = 0.3F};
  for (const Algorithm& algorithm : algorithms()) {
    if (!algorithm.is_synchronous) continue;
    CAPTURE(algorithm.name);
    // cd-sgd's pushes are in two bits a number and exact by turns.
    const ExchangeSettings& exchange = algorithm.pushes_two_bits ? two_bit : plain;
    for (const Roles& roles : {Roles::dedicated(3, 1), Roles::replicated(2)}) {
      if (roles.is_replicated() && algorithm.pushes_two_bits) continue;
      CAPTURE(roles.is_replicated());
      CHECK(fewest_allocations({algorithm.name, roles, exchange}) == 0);
    }
  }
  for (const LocalRule rule : {LocalRule::kNone, LocalRule::kSgd, LocalRule::kDcC, LocalRule::kDcA,
                               LocalRule::kDcNorm, LocalRule::kGlu}) {
    CAPTURE(static_cast<int>(rule));
    CHECK(fewest_allocations({"ssd-sgd", Roles::dedicated(3, 1), plain, rule}) == 0);
  }
}
