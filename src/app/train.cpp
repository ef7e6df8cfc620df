#include "train.hpp"

#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "job.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/transport/in_process.hpp"
#include "output_directory.hpp"
#include "run_rank.hpp"

namespace odsgd {
namespace {

/// Works the run out as far as one rank can alone, or for all ranks of this process without a
/// `rank`; what is wrong stands in the hello.
Prepared prepare(const Orders& orders, int ranks, std::optional<int> rank) {
  Prepared prepared;
  Hello& hello = prepared.hello;
  hello.host = host_name();
  hello.cpus_allowed = cpus_allowed();
  try {
    if (const auto* error = std::get_if<UsageError>(&orders)) throw UsageError(*error);
    const auto& options = std::get<TrainOptions>(orders);
    hello.options = to_toml(options);
    const Roles roles = roles_of(options, ranks);
    if (!rank || *rank == roles.worker_rank(0)) check_output_directory(options.output);
    const bool computes = !rank || roles.worker_of(*rank);
    prepared.job = std::make_shared<const Job>(make_job(options, roles, computes));
  } catch (const UsageError& error) {
    hello.error = error.what();
    hello.is_usage_error = true;
  } catch (const std::exception& error) {
    hello.error = error.what();
  }
  return prepared;
}

std::string name_of(const Prepared& prepared, int rank) {
  return prepared.job ? name_of_rank(prepared.job->roles, rank) : fmt::format("rank {}", rank);
}

void report(const Prepared& prepared, int rank, const char* what) {
  std::fprintf(stderr, "odsgd: %s on %s: %s\n", name_of(prepared, rank).c_str(),
               prepared.hello.host.c_str(), what);
}

}  // namespace

int train_over_mpi(const Orders& orders) {
  const MpiSession session;
  const Prepared prepared = prepare(orders, session.size(), session.rank());
  try {
    return run_rank(session.endpoint(), prepared,
                    {"mpi", session.library(), session.thread_level()});
  } catch (const std::exception& error) {
    report(prepared, session.rank(), error.what());
    session.abort(kFailure);
  }
}

int train_in_process(const TrainOptions& options) {
  const int ranks = ranks_wanted(options);
  const Prepared prepared = prepare(options, ranks, std::nullopt);
  InProcessHub hub(ranks);
  std::mutex mutex;
  int exit_code = kSuccess;
  bool has_failed = false;
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          const int code = run_rank(hub.endpoint(rank), prepared, {"in-process", "none", "none"});
          const std::lock_guard lock(mutex);
          if (!has_failed && code != kSuccess) exit_code = code;
        } catch (const std::exception& error) {
          // The first failure is the cause; the others follow from it.
          const std::lock_guard lock(mutex);
          if (!has_failed) report(prepared, rank, error.what());
          has_failed = true;
          exit_code = kFailure;
          hub.abort("another rank has failed");
        }
      });
    }
  }
  return exit_code;
}

}  // namespace odsgd
