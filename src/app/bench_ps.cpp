// `odsgd bench ps`: how fast gradients and weights pass through the parameter server.
#include <fmt/format.h>

#include <algorithm>

#include "bench_exchange.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/bench/memory_limits.hpp"
#include "odsgd/bench/update_limit.hpp"

namespace odsgd {
namespace {

constexpr double kGiga = 1e-9;
constexpr double kMebi = 1.0 / (1 << 20);

Samples per(double amount, Samples seconds) {
  for (double& value : seconds.values) value = amount / value;
  return seconds;
}

std::string name_of(const RunPlan& plan, int rank) {
  if (const auto worker = plan.roles.worker_of(rank)) return fmt::format("worker {}", *worker);
  return fmt::format("server {}", *plan.roles.server_of(rank));
}

}  // namespace

void bench_ps(const BenchPsOptions& options, const BenchRank& rank) {
  const RunPlan plan = plan_of(options, rank.ranks, rank.mpi);
  const auto control = rank.make_endpoint();
  Meeting meeting(*control, plan.roles.worker_rank(0), options.timeout);
  const auto endpoint = rank.make_endpoint();
  const MeasuredRun run = measure_run(plan, *endpoint, meeting);

  // One after the other, while all other ranks sleep.
  const std::size_t message_bytes = plan.message_floats * sizeof(float);
  std::vector<double> half_trips_s;
  if (rank.mpi != nullptr && rank.rank < 2) {
    half_trips_s = rank.mpi->ping_pong(message_bytes, 10 * options.repetitions);
  }
  struct Median {
    double s;
  };
  const auto medians =
      meeting.gather(Median{half_trips_s.empty() ? 0 : Samples{half_trips_s}.median()});
  if (!meeting.leads()) {
    meeting.proceed();
    return;
  }

  Report report =
      exchange_report("Push and pull through the parameter server", options, rank, plan);
  report.add_fact("counted",
                  "payload: every worker's gradients and weights; memcpy: bytes copied; "
                  "triad and update: bytes read and written");
  const auto floats = std::max<std::size_t>(plan.table.floats(), 1024);
  const int threads = cpus_allowed();
  const std::string copy = fmt::format("memcpy, {} threads", threads);
  report.add("memcpy, 1 thread", measure_copy(floats, 1, options.repetitions).times(kGiga), "GB/s");
  if (threads > 1) {
    report.add(copy, measure_copy(floats, threads, options.repetitions).times(kGiga), "GB/s");
  }
  report.add("triad, 1 thread", measure_triad(floats, 1, options.repetitions).times(kGiga), "GB/s");
  const int workers = plan.roles.workers();
  report.add(fmt::format("fused update, {} gradients", workers),
             measure_update(floats, plan.message_floats, workers, options.repetitions).times(kGiga),
             "GB/s", "triad, 1 thread");
  if (rank.mpi != nullptr) {
    const double trip_s = std::max(medians[0].s, medians[1].s);
    report.add("MPI ping-pong, one message", static_cast<double>(message_bytes) / trip_s * kGiga,
               "GB/s");
  }
  const double payload =
      static_cast<double>(plan.table.floats()) * workers *
      (sizeof(float) + static_cast<double>(encoded_bytes(plan.exchange.push_codec, 1)));
  report.add("push + pull", per(payload, run.step_s).times(kGiga), "GB/s",
             threads > 1 ? copy : "memcpy, 1 thread");
  report.add("step", run.step_s.times(1e3), "ms");
  for (int r = 0; r < rank.ranks; ++r) {
    const RankTimes& t = run.ranks[static_cast<std::size_t>(r)];
    const std::string name = name_of(plan, r);
    report.add(name + ": progress", 100 * t.progress_cpu_s / t.step_s, "% core");
    if (plan.roles.server_of(r) && !plan.roles.is_colocated()) {
      report.add(name + ": updating", 100 * t.update_s / t.step_s, "% time");
    }
    if (rank.mpi != nullptr) {
      report.add(name + ": peak memory", static_cast<double>(t.peak_memory_bytes) * kMebi, "MiB");
    }
    report.add(name + ": buffers", static_cast<double>(t.buffer_bytes) * kMebi, "MiB");
  }
  meeting.proceed();
  print(report, options.json);
}

}  // namespace odsgd
