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
#include "run_trace.hpp"

namespace odsgd {
namespace {

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

void run_worker(const Job& job, Endpoint& endpoint, Exchange& exchange, NoteBox& notes, int worker,
                Coordinator* coordinator, RunTrace* trace) {
  const TrainOptions& options = job.options;
  const Dataset& data = *job.data;
  const int batch_size = options.batch_per_worker;
  const auto backend = make_backend(device_options(options, worker));
  Tracer* tracer = trace != nullptr ? &trace->tracer() : nullptr;
  Network network(*job.model, job.input, job.data_info.classes(), batch_size, *backend, tracer,
                  static_cast<float>(options.label_smoothing));
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
  Worker me(exchange.client(), job.layout, job.roles.workers(), gradient, tracer,
            job.settings.clip_norm);
  const auto rule = job.algorithm->make_worker(job.layout, job.settings);
  std::span<const float> global;
  const AbandonOnError guard(exchange);

  if (coordinator != nullptr) coordinator->begin(backend->description());
  if (trace != nullptr) trace->begin();
  meet(job, endpoint, notes, {.epoch = 0, .peak_memory_bytes = peak_memory_bytes()}, coordinator);

  const auto times = [&] { return times_so_far(me, exchange.client(), input_s); };
  Clock t = 0;
  IntervalReport interval;
  std::vector<StepReport> steps;
  bool has_diverged = false;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    WorkerReport report{.epoch = static_cast<std::uint64_t>(epoch)};
    const WorkTimes epoch_begin = times();
    const ClientTotals totals = exchange.client().totals();
    const double progress_cpu_s = exchange.progress_cpu_s();
    if (coordinator != nullptr) coordinator->begin_epoch();
    WorkTimes step_begin = epoch_begin;
    for (std::size_t step = 0; step < job.steps_per_epoch; ++step, ++t) {
      if (tracer != nullptr) tracer->step = t;
      const StepResult result = rule->step(me, t);
      const WorkTimes step_end = times();
      const WorkTimes taken = step_end - std::exchange(step_begin, step_end);
      if (t >= job.unmeasured_steps()) {
        ++report.measured_steps;
        report.measured = report.measured + taken;
      }
      if (job.logs_step(t)) steps.push_back({t + 1, taken});
      if (!std::isfinite(result.loss) && !has_diverged) {
        // Worker 0 ends the run: all workers diverge at nearly the same time, and one line is
        // enough.
        has_diverged = true;
        post_note(endpoint, job.roles.worker_rank(0),
                  make_note(endpoint.buffers(), Topic::kDivergence,
                            DivergenceReport{.step = t + 1,
                                             .worker = worker,
                                             .value = static_cast<float>(result.loss)}));
      }
      interval.last_step = t + 1;
      interval.loss_sum += result.loss * batch_size;
      interval.correct += static_cast<std::uint64_t>(result.correct);
      interval.samples += static_cast<std::uint64_t>(batch_size);
      const bool is_last = step + 1 == job.steps_per_epoch;
      if ((t + 1) % static_cast<Clock>(options.log_every) == 0 || is_last) {
        post_note(endpoint, job.roles.worker_rank(0),
                  make_interval_note(endpoint.buffers(), interval, steps));
        interval = {};
        steps.clear();
      }
      if (coordinator != nullptr) coordinator->after_step(t + 1);
    }
    if (tracer != nullptr) tracer->step = t;
    global = rule->global_weights(me, t);
    if (coordinator != nullptr) coordinator->end_steps(t);
    report.times = times() - epoch_begin;
    report.progress_cpu_s = exchange.progress_cpu_s() - progress_cpu_s;
    const ClientTotals now = exchange.client().totals();
    report.bytes_pushed = now.bytes_pushed - totals.bytes_pushed;
    report.bytes_pulled = now.bytes_pulled - totals.bytes_pulled;

    if (!job.is_benchmark()) {
      const TimelineSpan span(tracer, Lane::kEvaluate, label_in(tracer, "evaluation"));
      evaluate_share(job, network, exchange.client(), global, worker, report);
    }
    report.peak_memory_bytes = peak_memory_bytes();
    meet(job, endpoint, notes, report, coordinator);
  }
  if (trace != nullptr) trace->end();
  exchange.finish();
  if (coordinator != nullptr) coordinator->finish(t, global);
}

}  // namespace odsgd
