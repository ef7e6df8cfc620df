// `odsgd bench ps`: how fast gradients and weights pass through the parameter server.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench_exchange.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/bench/memory_limits.hpp"
#include "odsgd/bench/update_limit.hpp"

namespace odsgd {
namespace {

constexpr double kGiga = 1e-9;
constexpr std::size_t kLarge = std::size_t{8} << 20;
constexpr double kMebi = 1.0 / (1 << 20);

Samples per(double amount, Samples seconds) {
  for (double& value : seconds.values) value = amount / value;
  return seconds;
}

std::string name_of(const RunPlan& plan, int rank) {
  if (const auto worker = plan.roles.worker_of(rank)) return fmt::format("worker {}", *worker);
  return fmt::format("server {}", *plan.roles.server_of(rank));
}

/// What the exchange is held against, in bytes per second.
struct Limits {
  Samples copy_one;
  Samples copy_all;
  Samples triad;
  Samples update;
  Samples message;  // none without MPI, as the next
  Samples large_message;

  void append(const Limits& more) {
    copy_one.append(more.copy_one);
    copy_all.append(more.copy_all);
    triad.append(more.triad);
    update.append(more.update);
    message.append(more.message);
    large_message.append(more.large_message);
  }
};

class PsBench {
 public:
  PsBench(const BenchPsOptions& options, const BenchRank& rank)
      : options_(options),
        rank_(rank),
        plan_(plan_of(options, rank.ranks, rank.mpi)),
        control_(rank.make_endpoint()),
        meeting_(*control_, plan_.roles.worker_rank(0), options.timeout),
        message_bytes_(plan_.message_floats * sizeof(float)) {}

  /// Exchange and limits take turns, so that both see the same machine, whoever else uses it.
  void run() {
    for (int round = 0; round < options_.rounds; ++round) {
      limits_.append(measure_limits());
      const auto endpoint = rank_.make_endpoint();
      const MeasuredRun run = measure_run(plan_, *endpoint, meeting_);
      if (meeting_.leads()) {
        step_s_.append(run.step_s);
        runs_.push_back(run);
      }
    }
    if (meeting_.leads()) report();
    meeting_.proceed();
  }

 private:
  /// One after the other, while all other ranks sleep.
  Limits measure_limits() {
    Limits limits;
    const int repetitions = options_.repetitions;
    struct Trips {
      double message_s = 0;
      double large_s = 0;
    };
    Trips mine;
    if (rank_.mpi != nullptr && rank_.rank < 2) {
      mine.message_s = Samples{rank_.mpi->ping_pong(message_bytes_, 10 * repetitions)}.median();
      mine.large_s = Samples{rank_.mpi->ping_pong(kLarge, repetitions)}.median();
    }
    const std::vector<Trips> trips = meeting_.gather(mine);
    if (meeting_.leads()) {
      const auto floats = std::max<std::size_t>(plan_.table.floats(), 1024);
      limits.copy_one = measure_copy(floats, 1, repetitions);
      if (threads_ > 1) limits.copy_all = measure_copy(floats, threads_, repetitions);
      limits.triad = measure_triad(floats, 1, repetitions);
      limits.update =
          measure_update(floats, plan_.message_floats, plan_.roles.workers(), repetitions);
      if (rank_.mpi != nullptr) {
        const auto bytes_per_s = [&](std::size_t bytes, double Trips::*trip_s) {
          return static_cast<double>(bytes) / std::max(trips[0].*trip_s, trips[1].*trip_s);
        };
        limits.message.values.push_back(bytes_per_s(message_bytes_, &Trips::message_s));
        limits.large_message.values.push_back(bytes_per_s(kLarge, &Trips::large_s));
      }
    }
    meeting_.proceed();
    return limits;
  }

  void report() const {
    Report report =
        exchange_report("Push and pull through the parameter server", options_, rank_, plan_);
    report.add_fact("rounds",
                    fmt::format("{}, each with the limits measured before it", options_.rounds));
    report.add_fact("counted",
                    "payload: every worker's gradients and weights; memcpy: bytes copied; "
                    "triad and update: bytes read and written");
    const std::string copy = fmt::format("memcpy, {} threads", threads_);
    report.add("memcpy, 1 thread", limits_.copy_one.times(kGiga), "GB/s");
    if (threads_ > 1) report.add(copy, limits_.copy_all.times(kGiga), "GB/s");
    report.add("triad, 1 thread", limits_.triad.times(kGiga), "GB/s");
    const int workers = plan_.roles.workers();
    report.add(fmt::format("fused update, {} gradients", workers), limits_.update.times(kGiga),
               "GB/s", "triad, 1 thread");
    if (rank_.mpi != nullptr) {
      report.add("MPI ping-pong, one message", limits_.message.times(kGiga), "GB/s");
      report.add("MPI ping-pong, 8 MiB", limits_.large_message.times(kGiga), "GB/s");
    }
    std::string limit = threads_ > 1 ? copy : "memcpy, 1 thread";
    if (rank_.mpi != nullptr && !rank_.mpi->is_on_one_host()) {
      limit = "the wire, both ways";
      const int links = std::min(plan_.roles.servers(), workers);
      report.add(limit, limits_.large_message.times(2 * links * kGiga), "GB/s");
    }
    const double payload =
        static_cast<double>(plan_.table.floats()) * workers *
        (sizeof(float) + static_cast<double>(encoded_bytes(plan_.exchange.push_codec, 1)));
    report.add("push + pull", per(payload, step_s_).times(kGiga), "GB/s", limit);
    report.add("step", step_s_.times(1e3), "ms");
    for (int r = 0; r < rank_.ranks; ++r) report_rank(report, r);
    print(report, options_.json);
  }

  void report_rank(Report& report, int rank) const {
    const std::string name = name_of(plan_, rank);
    Samples progress;
    Samples updating;
    for (const MeasuredRun& run : runs_) {
      const RankTimes& t = run.ranks[static_cast<std::size_t>(rank)];
      progress.values.push_back(100 * t.progress_cpu_s / t.step_s);
      updating.values.push_back(100 * t.update_s / t.step_s);
    }
    report.add(name + ": progress", progress, "% core");
    if (plan_.roles.server_of(rank) && !plan_.roles.is_colocated()) {
      report.add(name + ": updating", updating, "% time");
    }
    const RankTimes& last = runs_.back().ranks[static_cast<std::size_t>(rank)];
    if (rank_.mpi != nullptr) {
      report.add(name + ": peak memory", static_cast<double>(last.peak_memory_bytes) * kMebi,
                 "MiB");
    }
    report.add(name + ": buffers", static_cast<double>(last.buffer_bytes) * kMebi, "MiB");
  }

  const BenchPsOptions& options_;
  const BenchRank& rank_;
  RunPlan plan_;
  std::unique_ptr<Endpoint> control_;
  Meeting meeting_;
  std::size_t message_bytes_;
  int threads_ = cpus_allowed();
  Limits limits_;
  Samples step_s_;
  std::vector<MeasuredRun> runs_;
};

}  // namespace

void bench_ps(const BenchPsOptions& options, const BenchRank& rank) {
  PsBench(options, rank).run();
}

}  // namespace odsgd
