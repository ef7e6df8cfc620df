#include "support/training.hpp"

#include <algorithm>

#include "odsgd/algorithms/registry.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/ps/exchange.hpp"
#include "support/same_bits.hpp"

namespace odsgd::test {
namespace {

Roles roles_of(const Setup& setup, int ranks) {
  if (setup.servers == kReplicated) return Roles::replicated(ranks);
  return setup.servers == kColocated ? Roles::colocated(ranks)
                                     : Roles::dedicated(ranks, setup.servers);
}

/// The pass of one worker: reads keys in order, gives gradients in reverse, and records w.
GradientFunction gradient_function(const Setup& setup, const Quadratic& problem, int worker,
                                   std::vector<std::vector<float>>& seen) {
  return [&setup, &problem, worker, &seen](std::span<const float> w, std::span<float> g,
                                           const KeyHooks& hooks) {
    const Clock t = seen.size();
    for (Key k = 0; k < problem.layout.keys(); ++k) hooks.before_forward(k);
    seen.emplace_back(w.begin(), w.end());
    if (setup.on_weights) setup.on_weights(worker, t);
    for (Key k = problem.layout.keys(); k-- > 0;) {
      hooks.before_backward(k);
      const Parameter& p = problem.layout[k];
      for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
        g[i] = problem.gradient(worker, t, i, w[i]);
      }
      hooks.after_backward(k);
    }
    return StepResult{};
  };
}

void work(Exchange& exchange, const Setup& setup, const Quadratic& problem, int worker,
          RankTrace& trace) {
  const auto rule = find_algorithm(setup.algorithm).make_worker(problem.layout, setup.settings);
  const AbandonOnError guard(exchange);
  Worker me(exchange.client(), problem.layout, problem.workers(),
            gradient_function(setup, problem, worker, trace.local), nullptr,
            setup.settings.clip_norm);
  const auto record = [&](Clock t) {
    const std::span<const float> weights = rule->global_weights(me, t);
    trace.global.emplace_back(weights.begin(), weights.end());
  };
  for (Clock t = 0; t < setup.steps; ++t) {
    if (setup.reads_every_step) record(t);
    rule->step(me, t);
  }
  if (setup.reads_at_end) record(setup.steps);
  exchange.finish();  // pulls that nobody waits for are received into the rule's weights until then
}

}  // namespace

int ranks_of(const Setup& setup, const Quadratic& problem) {
  return std::max(setup.servers, 0) + problem.workers();
}

RankTrace train_rank(Endpoint& endpoint, const Setup& setup, const Quadratic& problem) {
  const Roles roles = roles_of(setup, endpoint.size());
  ODSGD_REQUIRE(roles.workers() == problem.workers(), "test: got {} workers, want {}",
                roles.workers(), problem.workers());
  const Algorithm& algorithm = find_algorithm(setup.algorithm);
  const ServerHalf half = algorithm.make_server(setup.settings);
  const ShardMap shards(problem.layout, roles.shards(), setup.message_floats,
                        half.needs_whole_keys);
  ExchangeSettings settings = setup.exchange;
  if (algorithm.pushes_two_bits) settings.threshold = setup.settings.threshold;
  Exchange exchange(endpoint, problem.layout, shards, roles, problem.initial, half, settings);
  RankTrace trace;
  if (const auto worker = roles.worker_of(endpoint.rank())) {
    exchange.start();
    work(exchange, setup, problem, *worker, trace);
  } else {
    exchange.serve();
  }
  if (exchange.server() != nullptr) trace.staleness = exchange.server()->staleness();
  return trace;
}

Trace train(const Setup& setup, const Quadratic& problem) {
  const int ranks = ranks_of(setup, problem);
  std::vector<RankTrace> traces(static_cast<std::size_t>(ranks));
  run_ranks(
      ranks,
      [&](Endpoint& endpoint) {
        traces[static_cast<std::size_t>(endpoint.rank())] = train_rank(endpoint, setup, problem);
      },
      setup.delays);

  const Roles roles = roles_of(setup, ranks);
  Trace all;
  for (const RankTrace& trace : traces) {
    for (const auto& [staleness, count] : trace.staleness) all.staleness[staleness] += count;
  }
  for (int m = 0; m < roles.workers(); ++m) {
    RankTrace& trace = traces[static_cast<std::size_t>(roles.worker_rank(m))];
    all.local.push_back(std::move(trace.local));
    if (m == 0) all.global = trace.global;
    for (std::size_t t = 0; t < all.global.size(); ++t) {
      ODSGD_REQUIRE(same_bits(trace.global[t], all.global[t]),
                    "test: worker {} got other global weights than worker 0 at row {}", m, t);
    }
  }
  return all;
}

}  // namespace odsgd::test
