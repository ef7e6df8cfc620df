#include "train.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <optional>

#include "error_text.hpp"
#include "exchange_options.hpp"
#include "job.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/transport/in_process.hpp"
#include "output_directory.hpp"
#include "ranks.hpp"
#include "run_rank.hpp"
#include "trace_directory.hpp"

namespace odsgd {
namespace {

/// Works the run out as far as one rank can alone, or for all ranks of this process without a
/// `rank`; what is wrong stands in the hello.
Prepared prepare(const Orders& orders, int ranks, std::optional<int> rank, bool on_one_host) {
  Prepared prepared;
  Hello& hello = prepared.hello;
  hello.name = fmt::format("rank {}", rank.value_or(0));
  hello.host = host_name();
  hello.cpus_allowed = cpus_allowed();
  try {
    if (const auto* error = std::get_if<UsageError>(&orders)) throw UsageError(*error);
    const auto& options = std::get<TrainOptions>(orders);
    hello.options = to_toml(options);
    const Roles roles = roles_of(options, ranks);
    if (rank) hello.name = name_of_rank(roles, *rank);
    if (!rank || *rank == roles.worker_rank(0)) check_output_directory(options.output);
    if (!options.trace.empty()) check_trace_directory(options.trace);
    const bool computes = !rank || roles.worker_of(*rank);
    prepared.job = std::make_shared<const Job>(make_job(options, roles, computes, on_one_host));
  } catch (const UsageError& error) {
    hello.error = error.what();
    hello.is_usage_error = true;
  } catch (const std::exception& error) {
    hello.error = text_of(error);
  }
  return prepared;
}

std::string name_of(const Prepared& prepared, int rank) {
  return prepared.job ? name_of_rank(prepared.job->roles, rank) : fmt::format("rank {}", rank);
}

/// What went wrong, and where.
std::string message(const Prepared& prepared, int rank, const std::exception& error) {
  return fmt::format("{} on {}: {}", name_of(prepared, rank), prepared.hello.host, text_of(error));
}

}  // namespace

int train_over_mpi(const Orders& orders) {
  std::optional<MpiSession> started;
  if (!start_mpi(started)) return kFailure;
  const MpiSession& session = *started;
  // Collective, so before anything that takes time or fails on one rank alone.
  auto endpoint = session.endpoint();
  const Prepared prepared =
      prepare(orders, session.size(), session.rank(), session.is_on_one_host());
  try {
    return run_rank(std::move(endpoint), prepared,
                    {"mpi", session.library(), session.thread_level()});
  } catch (const std::exception& error) {
    print_error(message(prepared, session.rank(), error));
    session.abort(kFailure);
  }
}

int train_in_process(const TrainOptions& options) {
  const int ranks = ranks_wanted(options);
  const Prepared prepared = prepare(options, ranks, std::nullopt, true);
  if (!prepared.job) {
    print_error(prepared.hello.error);
    return prepared.hello.is_usage_error ? kUsage : kFailure;
  }
  InProcessHub hub(ranks);
  std::atomic<int> exit_code = kSuccess;  // of the ranks that went wrong without ending the others
  const int ended = run_on_threads(
      ranks,
      [&](int rank) {
        const int code = run_rank(hub.endpoint(rank), prepared, {"in-process", "none", "none"});
        if (code != kSuccess) exit_code = code;
      },
      [&](int rank, const std::exception& error) { return message(prepared, rank, error); },
      [&](const std::string& why) { hub.abort(why); });
  return ended != kSuccess ? ended : exit_code.load();
}

}  // namespace odsgd
