// `odsgd bench overlap`: what of the exchange each algorithm hides behind computing, beside what
// the timing model says.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "bench_exchange.hpp"
#include "odsgd/bench/step_prediction.hpp"
#include "odsgd/bench/timing_model.hpp"

namespace odsgd {
namespace {

constexpr double kMilli = 1e3;

/// A way to train, as a row of the report.
struct Way {
  const char* name;
  const char* algorithm;
  bool by_layer;
};
constexpr std::array<Way, 4> kWays{{{"plain ssgd", "ssgd", false},
                                    {"ssgd", "ssgd", true},
                                    {"asgd", "asgd", true},
                                    {"od-sgd", "od-sgd", true}}};

/// What plain MPI calls say of the link between ranks 0 and 1.
struct Link {
  double bytes_per_s = 0;
  double latency_s = 0;
};

Link measure_link(const BenchRank& rank) {
  if (rank.mpi == nullptr || rank.rank > 1) return {};
  constexpr std::size_t kLarge = std::size_t{8} << 20;
  const double latency_s = Samples{rank.mpi->ping_pong(1, 20)}.median();
  const double large_s = Samples{rank.mpi->ping_pong(kLarge, 3)}.median();
  return {static_cast<double>(kLarge) / (large_s - latency_s), latency_s};
}

struct Measured {
  Samples step_s;  // each worker's mean
  double wait_s = 0;
  double update_s = 0;
  std::vector<double> hidden;   // by worker
  double progress_percent = 0;  // of a core, that each worker's progress thread uses
  double server_percent = 0;    // of a core, that each dedicated server uses
};

Measured summary_of(const RunPlan& plan, const MeasuredRun& run) {
  Measured m;
  const int workers = plan.roles.workers();
  for (int worker = 0; worker < workers; ++worker) {
    const RankTimes& t = run.ranks[static_cast<std::size_t>(plan.roles.worker_rank(worker))];
    m.step_s.values.push_back(t.step_s);
    m.wait_s += t.wait_s / workers;
    m.update_s += t.update_s / workers;
    m.progress_percent += 100 * t.progress_cpu_s / t.step_s / workers;
    m.hidden.push_back(t.either_s > 0 ? std::clamp(1 - t.wait_s / t.either_s, 0.0, 1.0) : 1);
  }
  if (plan.roles.is_colocated()) return m;  // its progress threads serve
  const int servers = plan.roles.servers();
  for (int server = 0; server < servers; ++server) {
    const RankTimes& t = run.ranks[static_cast<std::size_t>(plan.roles.server_rank(server))];
    m.server_percent += 100 * t.progress_cpu_s / t.step_s / servers;
  }
  return m;
}

class OverlapBench {
 public:
  OverlapBench(const BenchOverlapOptions& options, const BenchRank& rank)
      : options_(options),
        rank_(rank),
        plan_(plan_of(options, rank.ranks, rank.mpi)),
        control_(rank.make_endpoint()),
        meeting_(*control_, plan_.roles.worker_rank(0), options.timeout) {}

  void run() {
    const std::vector<Link> links = meeting_.gather(measure_link(rank_));
    for (const Link& link : links)
      link_.bytes_per_s = std::max(link_.bytes_per_s, link.bytes_per_s);
    if (!links.empty()) link_.latency_s = links.front().latency_s;

    const MeasuredRun alone = measure({"exchange alone", "ssgd", false}, 0);
    double exchange_s = meeting_.leads() ? summary_of(plan_, alone).step_s.median() : 0;
    exchange_s = meeting_.share(exchange_s);
    compute_s_ = options_.compute_ms ? *options_.compute_ms / kMilli : exchange_s / options_.ratio;

    std::vector<MeasuredRun> runs;
    for (const Way& way : kWays) runs.push_back(measure(way, compute_s_));
    if (meeting_.leads()) report(exchange_s, runs);
    meeting_.proceed();
  }

 private:
  MeasuredRun measure(const Way& way, double compute_s) {
    RunPlan plan = plan_;
    plan.algorithm = way.algorithm;
    plan.compute = {
        .step_s = compute_s, .jitter_percent = options_.compute_jitter, .by_layer = way.by_layer};
    if (compute_s > 0) plan.straggler = options_.straggler;
    const auto endpoint = rank_.make_endpoint();
    return measure_run(plan, *endpoint, meeting_);
  }

  LinkModel link_model(double bytes_per_s) const {
    const MpiLimits limits;
    return {.workers = plan_.roles.workers(),
            .servers = plan_.roles.servers(),
            .worker_bytes_per_s = bytes_per_s,
            .server_bytes_per_s = bytes_per_s,
            .latency_s = link_.latency_s,
            .message_bytes = static_cast<double>(plan_.message_floats) * sizeof(float),
            .window_bytes = static_cast<double>((rank_.mpi != nullptr && rank_.mpi->is_on_one_host()
                                                     ? limits.on_host
                                                     : limits.between_hosts)
                                                    .received)};
  }

  /// The bandwidth at which the model needs as long for the exchange alone as was measured: a link
  /// that carries both directions at once, in messages, does not reach what one large message does.
  double effective_bytes_per_s(double exchange_s) const {
    const double bytes = static_cast<double>(plan_.table.floats()) * sizeof(float);
    const LayerLoad all{.push_bytes = bytes, .pull_bytes = bytes};
    double low = link_.bytes_per_s / 10;
    double high = link_.bytes_per_s * 2;
    for (int i = 0; i < 30; ++i) {
      const double middle = (low + high) / 2;
      const double step_s = predict_step({&all, 1}, link_model(middle), Schedule::kSsgd).step_s;
      (step_s > exchange_s ? low : high) = middle;
    }
    return (low + high) / 2;
  }

  /// What the timing model says of a way to train; NaN when the link is not known.
  double predicted_s(const Way& way, double exchange_s, double update_s) const {
    const double slowest_s = compute_s_ * options_.straggler;
    const std::string algorithm = way.algorithm;
    if (!way.by_layer) return slowest_s + exchange_s;
    if (link_.bytes_per_s == 0 || plan_.roles.is_colocated()) return NAN;
    if (algorithm == "od-sgd") {
      const double push_s =
          transfer_s(static_cast<double>(plan_.table.floats()) * sizeof(float), link_.bytes_per_s,
                     plan_.roles.workers(), plan_.roles.servers());
      return std::max({slowest_s + update_s, (slowest_s + update_s + exchange_s) / 2, push_s});
    }
    const bool is_ssgd = algorithm == "ssgd";
    const double compute_s = is_ssgd ? slowest_s : compute_s_;
    return predict_step(layer_loads(plan_.table, compute_s / 3, compute_s * 2 / 3, 0),
                        link_model(effective_bytes_per_s(exchange_s)),
                        is_ssgd ? Schedule::kSsgd : Schedule::kAsgd,
                        plan_.exchange.priority == Priority::kLayer ? SendOrder::kFirstLayer
                                                                    : SendOrder::kFirstReady)
        .step_s;
  }

  void report(double exchange_s, const std::vector<MeasuredRun>& runs) const {
    Report report = exchange_report("Overlap of exchange and computing", options_, rank_, plan_);
    report.add_fact("computing",
                    "pretended by sleeping: a benchmark of the exchange, not a training");
    report.add_fact("compute",
                    fmt::format("{:.4g} ms a step, jitter {} %, last worker {} times",
                                compute_s_ * kMilli, options_.compute_jitter, options_.straggler));
    if (link_.bytes_per_s > 0) {
      report.add_fact("link", fmt::format("{:.4g} MB/s each way, latency {:.4g} ms; as fast as the "
                                          "exchange alone with {:.4g} MB/s",
                                          link_.bytes_per_s * 1e-6, link_.latency_s * kMilli,
                                          effective_bytes_per_s(exchange_s) * 1e-6));
    }
    report.add("exchange alone", exchange_s * kMilli, "ms");
    std::vector<double> steps_s;
    for (std::size_t i = 0; i < kWays.size(); ++i) {
      const std::string name = kWays[i].name;
      const Measured m = summary_of(plan_, runs[i]);
      const double model_s = predicted_s(kWays[i], exchange_s, m.update_s);
      std::string limit;
      if (std::isfinite(model_s)) {
        limit = name + ": model";
        report.add(limit, model_s * kMilli, "ms");
      }
      report.add(name + ": step", m.step_s.times(kMilli), "ms", limit);
      report.add(name + ": exposed wait", m.wait_s * kMilli, "ms");
      report.add(name + ": hidden share", Samples{m.hidden}, "");
      report.add(name + ": progress thread", m.progress_percent, "% core");
      if (m.server_percent > 0) report.add(name + ": server", m.server_percent, "% core");
      if (m.update_s > 0) report.add(name + ": local update", m.update_s * kMilli, "ms");
      steps_s.push_back(m.step_s.median());
    }
    if (rank_.mpi != nullptr) report_memory(report, runs);
    for (std::size_t i = 0; i + 1 < kWays.size(); ++i) {
      report.add(fmt::format("od-sgd is faster than {}", kWays[i].name),
                 steps_s[i] / steps_s.back(), "times");
    }
    print(report, options_.json);
  }

  /// The largest process of either role, in the run that needed most.
  void report_memory(Report& report, const std::vector<MeasuredRun>& runs) const {
    std::size_t worker_bytes = 0;
    std::size_t server_bytes = 0;
    for (const MeasuredRun& run : runs) {
      for (int rank = 0; rank < rank_.ranks; ++rank) {
        const std::size_t bytes = run.ranks[static_cast<std::size_t>(rank)].peak_memory_bytes;
        std::size_t& most = plan_.roles.worker_of(rank) ? worker_bytes : server_bytes;
        most = std::max(most, bytes);
      }
    }
    constexpr double kMebi = 1.0 / (1 << 20);
    const double model = static_cast<double>(plan_.table.floats()) * sizeof(float);
    report.add("model", model * kMebi, "MiB");
    report.add("worker: peak memory", static_cast<double>(worker_bytes) * kMebi, "MiB", "model");
    if (server_bytes == 0) return;
    report.add("shard", model / plan_.roles.servers() * kMebi, "MiB");
    report.add("server: peak memory", static_cast<double>(server_bytes) * kMebi, "MiB", "shard");
  }

  const BenchOverlapOptions& options_;
  const BenchRank& rank_;
  RunPlan plan_;
  std::unique_ptr<Endpoint> control_;
  Meeting meeting_;
  Link link_;
  double compute_s_ = 0;
};

}  // namespace

void bench_overlap(const BenchOverlapOptions& options, const BenchRank& rank) {
  OverlapBench(options, rank).run();
}

}  // namespace odsgd
