#include "run_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/checkpoint/weights.hpp"
#include "odsgd/record/overlap.hpp"
#include "odsgd/record/run_result.hpp"
#include "odsgd/record/run_summary.hpp"
#include "output_directory.hpp"
#include "run_description.hpp"
#include "terminal.hpp"

namespace odsgd {
namespace {

std::int64_t integer(std::uint64_t value) { return static_cast<std::int64_t>(value); }

TimingRow worker_row(const Job& job, int worker, const WorkerReport& r) {
  const WorkTimes& t = r.times;
  return {.epoch = integer(r.epoch),
          .rank = job.roles.worker_rank(worker),
          .role = kWorkerRole,
          .index = worker,
          .steps = integer(job.steps_per_epoch),
          .seconds = t.seconds,
          .compute = t.compute,
          .input = t.input,
          .wait = t.wait,
          .local_update = t.local_update,
          .post = t.post,
          .other = t.seconds - t.compute - t.input - t.wait - t.local_update - t.post,
          .push = t.push,
          .pull = t.pull,
          .in_flight = t.in_flight,
          .measured_steps = integer(r.measured_steps),
          .measured_wait = r.measured.wait,
          .measured_in_flight = r.measured.in_flight,
          .hidden_share = hidden_share(r.measured.wait, r.measured.in_flight),
          .progress_cpu = r.progress_cpu_s,
          .bytes_pushed = integer(r.bytes_pushed),
          .bytes_pulled = integer(r.bytes_pulled),
          .peak_memory_bytes = integer(r.peak_memory_bytes)};
}

/// Both reports count from the start of the run.
TimingRow server_row(const Job& job, int server, std::uint64_t epoch, double seconds,
                     const ServerReport& now, const ServerReport& before) {
  const double update_s = now.update_s - before.update_s;
  return {.epoch = integer(epoch),
          .rank = job.roles.server_rank(server),
          .role = kServerRole,
          .index = server,
          .steps = integer(job.steps_per_epoch),
          .seconds = seconds,
          .compute = update_s,
          .other = seconds - update_s,
          .hidden_share = hidden_share(0, 0),
          .progress_cpu = now.progress_cpu_s - before.progress_cpu_s,
          .bytes_pushed = integer(now.bytes_received - before.bytes_received),
          .bytes_pulled = integer(now.bytes_sent - before.bytes_sent),
          .peak_memory_bytes = integer(now.peak_memory_bytes)};
}

}  // namespace

RunRecorder::RunRecorder(const Job& job, const CheckIn& check, TransportInfo transport)
    : job_(job),
      check_(check),
      transport_(std::move(transport)),
      bar_(stdout, draws_progress(job.options.progress)) {}

void RunRecorder::open(const std::string& device) {
  const std::string& directory = job_.options.output;
  create_output_directory(directory);
  path_ = directory + "/run.h5";
  try {
    write_text(directory + "/config.toml", to_toml(job_.options));
    log_.emplace(path_, describe_run(job_, check_, transport_, device));
  } catch (...) {
    discard_output_directory(directory, {"config.toml", "run.h5"});
    throw;
  }
  std::fputs(start_text(job_, check_, transport_, device).c_str(), stdout);
  std::fflush(stdout);
}

void RunRecorder::begin_epoch() {
  epoch_begin_s_ = now_s();
  is_training_ = true;
}

double RunRecorder::training_s() const {
  return past_epochs_s_ + (is_training_ ? now_s() - epoch_begin_s_ : 0.0);
}

void RunRecorder::step_done(Clock steps) {
  const bool is_last = steps % job_.steps_per_epoch == 0;
  const bool ends_interval = steps % static_cast<Clock>(job_.options.log_every) == 0;
  if (ends_interval && !is_last) interval_ends_s_[steps] = training_s();
  bar_.update({.epoch = integer((steps - 1) / job_.steps_per_epoch + 1),
               .epochs = job_.options.epochs,
               .step = integer((steps - 1) % job_.steps_per_epoch + 1),
               .steps = integer(job_.steps_per_epoch),
               .is_benchmark = job_.is_benchmark(),
               .loss = last_.loss,
               .accuracy = last_.accuracy,
               .images_per_s = last_.images_per_s,
               .seconds_left = time_left_s(steps)},
              now_s());
}

double RunRecorder::time_left_s(Clock steps) const {
  const auto left = static_cast<double>(job_.total_steps() - steps);
  return training_s() / static_cast<double>(steps) * left;
}

void RunRecorder::end_steps(Clock steps) {
  past_epochs_s_ = training_s();
  is_training_ = false;
  interval_ends_s_[steps] = past_epochs_s_;
}

void RunRecorder::record_interval(const IntervalReport& sum, std::span<const StepRow> steps) {
  const double seconds = interval_ends_s_.at(sum.last_step);
  interval_ends_s_.erase(sum.last_step);
  const auto samples = static_cast<double>(sum.samples);
  last_ = {.step = integer(sum.last_step),
           .epoch = static_cast<double>(sum.last_step) / static_cast<double>(job_.steps_per_epoch),
           .loss = sum.loss_sum / samples,
           .accuracy = static_cast<double>(sum.correct) / samples,
           .lr = job_.settings.lr.value_at(sum.last_step - 1),
           .local_lr = job_.algorithm->has_local_update
                           ? job_.settings.local_lr.value_at(sum.last_step - 1)
                           : std::numeric_limits<double>::quiet_NaN(),
           .samples = last_.samples + integer(sum.samples),
           .seconds = seconds,
           .images_per_s = samples / (seconds - last_.seconds)};
  log_->add(last_);
  if (!steps.empty()) log_->add(steps);
  epoch_loss_sum_ += sum.loss_sum;
  epoch_correct_ += sum.correct;
  epoch_samples_ += sum.samples;
}

void RunRecorder::record_epoch(std::uint64_t epoch, const std::map<int, WorkerReport>& workers,
                               const std::map<int, ServerReport>& servers,
                               const StalenessCounts& staleness) {
  std::optional<EvalRow> eval;
  if (!job_.is_benchmark()) eval = record_evaluation(epoch, workers);
  std::vector<TimingRow> timing;
  timing.reserve(servers.size() + workers.size());
  for (const auto& [server, report] : servers) {
    timing.push_back(
        server_row(job_, server, epoch, workers.at(0).times.seconds, report, servers_[server]));
  }
  for (const auto& [worker, report] : workers) {
    timing.push_back(worker_row(job_, worker, report));
  }
  log_->add(timing);
  std::vector<StalenessRow> histogram;
  for (const auto& [value, count] : staleness)
    histogram.push_back({integer(value), integer(count)});
  log_->set_staleness(histogram);
  servers_ = servers;
  show_epoch(epoch, eval);
}

EvalRow RunRecorder::record_evaluation(std::uint64_t epoch,
                                       const std::map<int, WorkerReport>& workers) {
  EvalRow eval{.epoch = integer(epoch), .step = integer(epoch * job_.steps_per_epoch)};
  double loss_sum = 0;
  std::int64_t top1 = 0;
  std::int64_t top5 = 0;
  for (const auto& [worker, report] : workers) {
    loss_sum += report.test_loss_sum;
    top1 += report.top1;
    top5 += report.top5;
    eval.samples += report.test_samples;
    eval.seconds = std::max(eval.seconds, report.eval_s);
  }
  const auto samples = static_cast<double>(eval.samples);
  eval.loss = loss_sum / samples;
  ODSGD_REQUIRE(std::isfinite(eval.loss),
                "epoch {}: the test loss is {}, want a finite one (training diverged; try a "
                "smaller --lr)",
                epoch, std::abs(eval.loss));
  eval.top1 = static_cast<double>(top1) / samples;
  eval.top5 = static_cast<double>(top5) / samples;
  log_->add(eval);
  last_eval_ = eval;
  return eval;
}

void RunRecorder::show_epoch(std::uint64_t epoch, const std::optional<EvalRow>& eval) {
  const auto samples = static_cast<double>(epoch_samples_);
  const double seconds = past_epochs_s_ - epochs_shown_s_;
  bar_.end_epoch({.epoch = integer(epoch),
                  .epochs = job_.options.epochs,
                  .is_benchmark = job_.is_benchmark(),
                  .train_loss = epoch_loss_sum_ / samples,
                  .train_accuracy = static_cast<double>(epoch_correct_) / samples,
                  .test_loss = eval ? std::optional(eval->loss) : std::nullopt,
                  .test_top1 = eval ? std::optional(eval->top1) : std::nullopt,
                  .images_per_s = samples / seconds,
                  .seconds = seconds});
  epochs_shown_s_ = past_epochs_s_;
  epoch_loss_sum_ = 0;
  epoch_correct_ = 0;
  epoch_samples_ = 0;
}

void RunRecorder::finish(Clock steps, std::span<const float> weights) {
  if (job_.options.save_weights && !job_.is_benchmark()) {
    log_->reserve(weights.size_bytes() + (std::uint64_t{1} << 20));
    write_weights(log_->root(), job_.layout, weights, steps);
  }
  const auto collapsed = collapse(steps);
  collapsed ? log_->fail(*collapsed) : log_->finish();
  bar_.clear();
  std::fputs(end_of_run_text(read_run(path_)).c_str(), stdout);
  std::fflush(stdout);
  if (collapsed) throw Error(*collapsed);
}

/// What is wrong with a run whose last evaluation is no better than always naming the most frequent
/// class, after enough steps to be so.
std::optional<std::string> RunRecorder::collapse(Clock steps) const {
  constexpr Clock kEnough = 200;
  if (job_.is_benchmark() || steps < kEnough) return std::nullopt;
  std::map<std::int32_t, std::size_t> counts;
  std::size_t most = 0;
  const auto labels = job_.data->test().labels;
  for (const std::int32_t label : labels) most = std::max(most, ++counts[label]);
  const double share = static_cast<double>(most) / static_cast<double>(labels.size());
  if (last_eval_.top1 > share) return std::nullopt;
  return fmt::format(
      "test accuracy: got {:.2f} % after {} steps, want more than the {:.2f} % of always naming "
      "the most frequent class (training diverged or stands still; try another --lr)",
      100 * last_eval_.top1, steps, 100 * share);
}

void RunRecorder::fail(const std::string& text) noexcept {
  if (log_) log_->fail(text);
  bar_.clear();
}

}  // namespace odsgd
