#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <vector>

#include "bench_exchange.hpp"
#include "error_text.hpp"
#include "exchange_options.hpp"
#include "job.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/transport/in_process.hpp"
#include "ranks.hpp"
#include "usage_error.hpp"

namespace odsgd {
namespace {

std::string failure_text(int rank, const std::exception& error) {
  return fmt::format("rank {} on {}: {}", rank, host_name(), text_of(error));
}

/// Hands out the endpoints of one hub after another: each rank's n-th is on the n-th hub.
class Hubs {
 public:
  explicit Hubs(int ranks) : ranks_(ranks), taken_(static_cast<std::size_t>(ranks)) {}

  std::unique_ptr<Endpoint> next(int rank) {
    const std::lock_guard lock(mutex_);
    const std::size_t number = taken_[static_cast<std::size_t>(rank)]++;
    if (number == hubs_.size()) {
      hubs_.push_back(std::make_unique<InProcessHub>(ranks_));
      if (!aborted_.empty()) hubs_.back()->abort(aborted_);
    }
    return hubs_[number]->endpoint(rank);
  }

  void abort(const std::string& why) {
    const std::lock_guard lock(mutex_);
    aborted_ = why;
    for (const auto& hub : hubs_) hub->abort(why);
  }

 private:
  int ranks_;
  std::mutex mutex_;
  std::vector<std::size_t> taken_;
  std::vector<std::unique_ptr<InProcessHub>> hubs_;
  std::string aborted_;
};

/// Throws UsageError where the table's is an Error: its name and scale come from the user.
NetworkTable table_of(const BenchExchangeOptions& options) {
  try {
    return find_network_table(options.network, options.scale);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

int run_over_mpi(const BenchExchangeOptions& options,
                 const std::function<void(const BenchRank&)>& body) {
  std::optional<MpiSession> session;
  if (!start_mpi(session)) return kFailure;
  try {
    plan_of(options, session->size(), &*session);
  } catch (const std::exception& error) {
    if (session->rank() == 0) print_error(text_of(error));
    return dynamic_cast<const UsageError*>(&error) != nullptr ? kUsage : kFailure;
  }
  try {
    body({session->rank(), session->size(), &*session, [&] { return session->endpoint(); }});
    return kSuccess;
  } catch (const std::exception& error) {
    print_error(failure_text(session->rank(), error));
    session->abort(kFailure);
  }
}

}  // namespace

int run_on_bench_ranks(const BenchExchangeOptions& options, const Launch& launch,
                       const std::function<void(const BenchRank&)>& body) {
  const bool wants_threads = launch.size == 1 && options.workers;
  if (launch.under_launcher && !wants_threads) return run_over_mpi(options, body);
  const int ranks = ranks_wanted(options.servers, options.workers);
  plan_of(options, ranks, nullptr);
  Hubs hubs(ranks);
  return run_on_threads(
      ranks,
      [&](int rank) {
        body({rank, ranks, nullptr, [&hubs, rank] { return hubs.next(rank); }});
      },
      failure_text, [&](const std::string& why) { hubs.abort(why); });
}

RunPlan plan_of(const BenchExchangeOptions& options, int ranks, const MpiSession* mpi) {
  const bool on_one_host = mpi == nullptr || mpi->is_on_one_host();
  const int message_kib = message_kib_of(options.message_kib, on_one_host);
  return {.table = table_of(options),
          .roles = roles_of(options.servers, options.workers, ranks),
          .message_floats = static_cast<std::size_t>(message_kib) * 1024 / sizeof(float),
          .exchange = {.timeout_s = options.timeout,
                       .push_codec = codec_of(options.push_dtype),
                       .priority = priority_of(options.priority),
                       .server_threads = options.server_threads},
          .warmup_steps = options.warmup_steps,
          .steps = options.steps};
}

Report exchange_report(const std::string& title, const BenchExchangeOptions& options,
                       const BenchRank& rank, const RunPlan& plan) {
  Report report(title);
  report.add_fact("host", host_name());
  report.add_fact("processor", fmt::format("{}, {} allowed", cpu_model(), cpus_allowed()));
  report.add_fact("transport", rank.mpi != nullptr ? rank.mpi->library() : "in-process");
  report.add_fact("ranks", plan.roles.is_colocated()
                               ? fmt::format("{} workers, each with a shard", rank.ranks)
                               : fmt::format("{} servers + {} workers", plan.roles.servers(),
                                             plan.roles.workers()));
  report.add_fact("keys", fmt::format("{}: {} arrays, {} floats", plan.table.name,
                                      plan.table.arrays(), plan.table.floats()));
  report.add_fact("exchange", fmt::format("messages of {} KiB, pushes as {}, server threads {}",
                                          plan.message_floats * sizeof(float) / 1024,
                                          options.push_dtype, options.server_threads));
  report.add_fact("steps", fmt::format("{} after {}", plan.steps, plan.warmup_steps));
  return report;
}

void print(const Report& report, bool json) {
  fmt::print("{}", json ? report.json() + "\n" : report.text());
}

}  // namespace odsgd
