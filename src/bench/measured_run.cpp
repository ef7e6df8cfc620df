#include "odsgd/bench/measured_run.hpp"

#include <memory>
#include <utility>

#include "odsgd/algorithms/registry.hpp"
#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/fifo.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/ps/exchange.hpp"

namespace odsgd {
namespace {

/// Pushes every key and pulls it again as soon as its last answer is there: no key waits for
/// another.
class PushAndPull final : public WorkerRule {
 public:
  explicit PushAndPull(const ParameterLayout& layout)
      : layout_(layout), weights_(layout.floats()), pulled_(layout.keys()) {}

  StepResult step(Worker& me, Clock t) override {
    const auto nothing = [](Key) {};
    const auto exchange = [&](Key k) {
      if (pulled_[k]) me.wait_exactly(k, pulled_[k], t, layout_.slice(k, weights_.span()));
      pulled_[k] = me.push_and_pull(k, t, t, t + 1);
      me.receive_into(pulled_[k], layout_.slice(k, weights_.span()));
    };
    return me.compute_gradient(weights_.span(), nothing, exchange);
  }

  std::span<const float> global_weights(Worker& me, Clock t) override {
    for (Key k = 0; k < layout_.keys(); ++k) {
      if (pulled_[k]) me.wait_exactly(k, pulled_[k], t, layout_.slice(k, weights_.span()));
    }
    return weights_.span();
  }

 private:
  const ParameterLayout& layout_;
  AlignedBuffer<float> weights_;
  std::vector<Ticket> pulled_;
};

/// All times so far.
struct Clocks {
  double now = now_s();
  WorkerTimes worker;
  FlightTimes::Totals flight;
  double progress_cpu_s;
};

RankTimes between(const Clocks& begin, const Clocks& end, int steps) {
  const double n = steps;
  return {.step_s = (end.now - begin.now) / n,
          .compute_s = (end.worker.compute_s - begin.worker.compute_s) / n,
          .wait_s = (end.worker.wait_s - begin.worker.wait_s) / n,
          .update_s = (end.worker.update_s - begin.worker.update_s) / n,
          .post_s = (end.worker.post_s - begin.worker.post_s) / n,
          .push_s = (end.flight.push_s - begin.flight.push_s) / n,
          .pull_s = (end.flight.pull_s - begin.flight.pull_s) / n,
          .either_s = (end.flight.either_s - begin.flight.either_s) / n,
          .progress_cpu_s = (end.progress_cpu_s - begin.progress_cpu_s) / n};
}

RankTimes work(const RunPlan& plan, const ParameterLayout& layout, Exchange& exchange, int worker,
               Samples& step_s) {
  const std::unique_ptr<WorkerRule> rule =
      plan.algorithm.empty() ? std::make_unique<PushAndPull>(layout)
                             : find_algorithm(plan.algorithm).make_worker(layout, {});
  const AbandonOnError guard(exchange);
  PretendCompute compute = plan.compute;
  if (worker == plan.roles.workers() - 1) compute.step_s *= plan.straggler;
  PretendPasses passes(plan.table, compute, static_cast<std::uint64_t>(worker));
  Worker me(exchange.client(), layout, plan.roles.workers(),
            [&](std::span<const float>, std::span<float>, const KeyHooks& hooks) {
              passes.step(hooks);
              return StepResult{};
            });
  const auto read = [&] {
    return Clocks{.worker = me.times(),
                  .flight = exchange.client().totals().in_flight,
                  .progress_cpu_s = exchange.progress_cpu_s()};
  };
  exchange.start();
  Clock t = 0;
  for (int i = 0; i < plan.warmup_steps; ++i) rule->step(me, t++);
  const Clocks begin = read();
  for (int i = 0; i < plan.steps; ++i) {
    const double begin_s = now_s();
    rule->step(me, t++);
    step_s.values.push_back(now_s() - begin_s);
  }
  const Clocks end = read();
  rule->global_weights(me, t);
  exchange.finish();
  return between(begin, end, plan.steps);
}

}  // namespace

MeasuredRun measure_run(const RunPlan& plan, Endpoint& endpoint, Meeting& meeting) {
  const ParameterLayout layout = layout_of(plan.table);
  const ShardMap shards(layout, plan.roles.servers(), plan.message_floats);
  const std::string rules = plan.algorithm.empty() ? "ssgd" : plan.algorithm;
  MeasuredRun run;
  RankTimes mine;
  {
    Exchange exchange(endpoint, layout, shards, plan.roles, std::vector<float>(layout.floats()),
                      find_algorithm(rules).make_server({}), plan.exchange);
    if (const auto worker = plan.roles.worker_of(endpoint.rank())) {
      mine = work(plan, layout, exchange, *worker, run.step_s);
    } else {
      const double begin_s = now_s();
      exchange.serve();
      const int steps = plan.warmup_steps + plan.steps;
      mine.step_s = (now_s() - begin_s) / steps;
      mine.update_s = exchange.server()->totals().update_s / steps;
      mine.progress_cpu_s = exchange.progress_cpu_s() / steps;
    }
  }
  mine.peak_memory_bytes = peak_memory_bytes();
  mine.buffer_bytes = endpoint.buffers().allocated();
  run.ranks = meeting.gather(mine);
  meeting.proceed();
  return run;
}

}  // namespace odsgd
