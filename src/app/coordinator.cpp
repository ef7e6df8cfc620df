#include "coordinator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "odsgd/base/error.hpp"
#include "run_recorder.hpp"

namespace odsgd {

namespace {

StepRow step_row(int rank, const StepReport& report) {
  const WorkTimes& t = report.times;
  return {.step = static_cast<std::int64_t>(report.step),
          .rank = rank,
          .seconds = t.seconds,
          .compute = t.compute,
          .input = t.input,
          .wait = t.wait,
          .local_update = t.local_update,
          .post = t.post,
          .push = t.push,
          .pull = t.pull,
          .in_flight = t.in_flight};
}

}  // namespace

std::string Coordinator::subject_of(const DivergenceReport& report, int rank) const {
  const auto name_of_worker = [&] {
    return name_of_rank(job_.roles, job_.roles.worker_rank(report.worker));
  };
  switch (report.what) {
    case DivergenceReport::What::kLoss:
      return "loss of " + name_of_worker();
    case DivergenceReport::What::kGradient:
      return fmt::format("gradient of {} from {}", job_.layout[report.key].name, name_of_worker());
    case DivergenceReport::What::kWeights:
      break;
  }
  return fmt::format("weights of {} on {}", job_.layout[report.key].name,
                     name_of_rank(job_.roles, rank));
}

void Coordinator::begin(const std::string& device) { recorder_.open(device); }

void Coordinator::begin_epoch() { recorder_.begin_epoch(); }

void Coordinator::after_step(Clock steps_done) {
  recorder_.step_done(steps_done);
  while (const auto note = notes_.take()) take(*note);
  record_full_intervals();
}

void Coordinator::end_steps(Clock steps_done) { recorder_.end_steps(steps_done); }

void Coordinator::meet(std::uint64_t epoch) {
  const auto workers = static_cast<std::size_t>(job_.roles.workers());
  const auto servers = static_cast<std::size_t>(job_.roles.servers());
  while (workers_.size() < workers) take(notes_.wait());
  record_full_intervals();
  // Every worker waits now, so the servers' counts belong to whole epochs.
  ask_servers();
  while (servers_.size() < servers) take(notes_.wait());
  if (epoch > 0) {
    recorder_.record_epoch(epoch, workers_, servers_, staleness_);
  } else {
    recorder_.record_start(servers_);
  }
  workers_.clear();
  servers_.clear();
  for (int m = 1; m < job_.roles.workers(); ++m) {
    post_note(endpoint_, job_.roles.worker_rank(m),
              make_note(endpoint_.buffers(), Topic::kProceed, epoch));
  }
}

void Coordinator::finish(Clock steps, std::span<const float> weights) {
  recorder_.finish(steps, weights);
}

void Coordinator::take(const Message& note) {
  switch (topic_of(note)) {
    case Topic::kInterval: {
      const auto report = read_note<IntervalReport>(note);
      intervals_[report.last_step][*job_.roles.worker_of(note.source)] = {report, read_steps(note)};
      return;
    }
    case Topic::kEpoch:
      workers_[*job_.roles.worker_of(note.source)] = read_note<WorkerReport>(note);
      return;
    case Topic::kDivergence: {
      const auto report = read_note<DivergenceReport>(note);
      fail("step {}: {}: got {}, want finite numbers (training diverged; try a smaller --lr)",
           report.step, subject_of(report, note.source), std::isnan(report.value) ? "nan" : "inf");
    }
    case Topic::kServer: {
      servers_[*job_.roles.server_of(note.source)] = read_note<ServerReport>(note);
      for (const auto& [staleness, count] : read_staleness(note)) staleness_[staleness] += count;
      return;
    }
    default:
      fail("worker 0: got a note of topic {} from rank {}", static_cast<int>(topic_of(note)),
           note.source);
  }
}

void Coordinator::record_full_intervals() {
  const auto workers = static_cast<std::size_t>(job_.roles.workers());
  while (!intervals_.empty() && intervals_.begin()->second.size() == workers &&
         recorder_.has_time_of(intervals_.begin()->first)) {
    const auto& [last_step, reports] = *intervals_.begin();
    IntervalReport sum{.last_step = last_step};
    std::vector<StepRow> rows;
    for (const auto& [worker, interval] : reports) {
      sum.loss_sum += interval.report.loss_sum;
      sum.correct += interval.report.correct;
      sum.samples += interval.report.samples;
      const int rank = job_.roles.worker_rank(worker);
      for (const StepReport& step : interval.steps) rows.push_back(step_row(rank, step));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const StepRow& a, const StepRow& b) { return a.step < b.step; });
    recorder_.record_interval(sum, rows);
    intervals_.erase(intervals_.begin());
  }
}

void Coordinator::ask_servers() {
  staleness_.clear();
  for (int s = 0; s < job_.roles.servers(); ++s) {
    post_note(endpoint_, job_.roles.server_rank(s),
              make_note(endpoint_.buffers(), Topic::kServerRequest, s));
  }
}

}  // namespace odsgd
