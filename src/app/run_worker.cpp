#include "run_worker.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "coordinator.hpp"
#include "device_options.hpp"
#include "evaluate.hpp"
#include "odsgd/algorithms/worker.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/compute/backend.hpp"
#include "odsgd/data/batch_stream.hpp"
#include "odsgd/nn/network.hpp"

namespace odsgd {
namespace {

/// Sums since the epoch began, as differences of running totals.
class EpochClock {
 public:
  void begin(const WorkerTimes& times, const ClientTotals& totals, double input_s) {
    begin_s_ = now_s();
    times_ = times;
    totals_ = totals;
    input_s_ = input_s;
  }
  WorkerReport end(const WorkerTimes& times, const ClientTotals& totals, double input_s) const {
    return {.train_s = now_s() - begin_s_,
            .compute_s = times.compute_s - times_.compute_s - (input_s - input_s_),
            .wait_s = times.wait_s - times_.wait_s,
            .update_s = times.update_s - times_.update_s,
            .post_s = times.post_s - times_.post_s,
            .in_flight_s = totals.in_flight.either_s - totals_.in_flight.either_s,
            .bytes_pushed = totals.bytes_pushed - totals_.bytes_pushed,
            .bytes_pulled = totals.bytes_pulled - totals_.bytes_pulled};
  }

 private:
  double begin_s_ = 0;
  WorkerTimes times_;
  ClientTotals totals_;
  double input_s_ = 0;
};

/// Reports to worker 0, and waits until it has recorded the epoch: so nobody trains while the
/// global weights of the epoch's end are still being read.
void meet(const Job& job, Endpoint& endpoint, NoteBox& notes, const WorkerReport& report,
          Coordinator* coordinator) {
  post_note(endpoint, job.roles.worker_rank(0),
            make_note(endpoint.buffers(), Topic::kEpoch, report));
  if (coordinator != nullptr) {
    coordinator->meet(report.epoch);
    return;
  }
  const Message note = notes.wait();
  ODSGD_REQUIRE(topic_of(note) == Topic::kProceed,
                "end of epoch {}: got a note of topic {}, want {}", report.epoch,
                static_cast<int>(topic_of(note)), static_cast<int>(Topic::kProceed));
}

/// Evaluates the global weights on the worker's part of the test set, into its report; not to the
/// end when the exchange breaks meanwhile.
void evaluate_share(const Job& job, Network& network, const Client& client,
                    std::span<const float> global, int worker, WorkerReport& report) {
  const double begin_s = now_s();
  const Split test = job.data->test();
  const EvaluationSums sums = evaluate(network, job.data->info(), test, global,
                                       evaluation_range(test.count, worker, job.roles.workers()),
                                       [&] { client.rethrow_failure(); });
  report.eval_s = now_s() - begin_s;
  report.test_loss_sum = sums.loss;
  report.top1 = sums.top1;
  report.top5 = sums.top5;
  report.test_samples = sums.samples;
}

}  // namespace

std::vector<float> run_worker(const Job& job, Endpoint& endpoint, Exchange& exchange,
                              NoteBox& notes, int worker, Coordinator* coordinator) {
  const TrainOptions& options = job.options;
  const Dataset& data = *job.data;
  const int batch_size = options.batch_per_worker;
  const auto backend = make_backend(device_options(options, worker));
  Network network(*job.model, job.input, job.data_info.classes(), batch_size, *backend);
  BatchStream batches(data, {.worker = worker,
                             .workers = job.roles.workers(),
                             .batch_per_worker = batch_size,
                             .seed = options.seed,
                             .first_step = 0,
                             .total_steps = job.total_steps()});
  double input_s = 0;
  const auto gradient = [&](std::span<const float> w, std::span<float> g, const KeyHooks& hooks) {
    const double begin_s = now_s();
    const Batch& batch = batches.next();
    input_s += now_s() - begin_s;
    const BatchResult result = network.forward_backward(
        w, batch.images.span(), batch.labels, g,
        {hooks.before_forward, hooks.before_backward, hooks.after_backward});
    return StepResult{result.loss, result.correct};
  };
  Worker me(exchange.client(), job.layout, job.roles.workers(), gradient);
  const auto rule = job.algorithm->make_worker(job.layout, job.settings);
  std::vector<float> global(job.layout.floats());
  const AbandonOnError guard(exchange);

  if (coordinator != nullptr) coordinator->begin(backend->description());
  meet(job, endpoint, notes, {.epoch = 0, .peak_memory_bytes = peak_memory_bytes()}, coordinator);

  Clock t = 0;
  EpochClock clock;
  IntervalReport interval;
  bool has_diverged = false;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    clock.begin(me.times(), exchange.client().totals(), input_s);
    if (coordinator != nullptr) coordinator->begin_epoch();
    for (std::size_t step = 0; step < job.steps_per_epoch; ++step, ++t) {
      const StepResult result = rule->step(me, t);
      if (!std::isfinite(result.loss) && !has_diverged) {
        // Worker 0 ends the run: all workers diverge at nearly the same time, and one line is
        // enough.
        has_diverged = true;
        post_note(endpoint, job.roles.worker_rank(0),
                  make_note(endpoint.buffers(), Topic::kDivergence,
                            DivergenceReport{.step = t + 1, .loss = result.loss}));
      }
      interval.last_step = t + 1;
      interval.loss_sum += result.loss * batch_size;
      interval.correct += static_cast<std::uint64_t>(result.correct);
      interval.samples += static_cast<std::uint64_t>(batch_size);
      const bool is_last = step + 1 == job.steps_per_epoch;
      if ((t + 1) % static_cast<Clock>(options.log_every) == 0 || is_last) {
        post_note(endpoint, job.roles.worker_rank(0),
                  make_note(endpoint.buffers(), Topic::kInterval, interval));
        interval = {};
      }
      if (coordinator != nullptr) coordinator->after_step(t + 1);
    }
    rule->global_weights(me, t, global);
    if (coordinator != nullptr) coordinator->end_steps(t);
    WorkerReport report = clock.end(me.times(), exchange.client().totals(), input_s);
    report.epoch = static_cast<std::uint64_t>(epoch);

    if (!job.is_benchmark())
      evaluate_share(job, network, exchange.client(), global, worker, report);
    report.peak_memory_bytes = peak_memory_bytes();
    meet(job, endpoint, notes, report, coordinator);
  }
  exchange.finish();
  return global;
}

}  // namespace odsgd
