#include "train.hpp"

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "error_text.hpp"
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
    const bool computes = !rank || roles.worker_of(*rank);
    prepared.job = std::make_shared<const Job>(make_job(options, roles, computes));
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
  try {
    started.emplace();
  } catch (const std::exception& error) {
    // MPI tells all ranks the same; the launcher's number is the only one there is yet.
    if (launch_from_environment().rank == 0) {
      print_error(fmt::format("rank 0 on {}: {}", host_name(), error.what()));
    }
    return kFailure;
  }
  const MpiSession& session = *started;
  // Collective, so before anything that takes time or fails on one rank alone.
  auto endpoint = session.endpoint();
  const Prepared prepared = prepare(orders, session.size(), session.rank());
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
  const Prepared prepared = prepare(options, ranks, std::nullopt);
  if (!prepared.job) {
    print_error(prepared.hello.error);
    return prepared.hello.is_usage_error ? kUsage : kFailure;
  }
  InProcessHub hub(ranks);
  std::mutex mutex;
  int exit_code = kSuccess;
  const auto fail_all = [&](const std::string& why) {
    // The first failure is the cause; the others follow from it.
    const std::lock_guard lock(mutex);
    if (exit_code == kSuccess) print_error(why);
    exit_code = kFailure;
    hub.abort(why);
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
          try {
            run_rank(hub.endpoint(rank), prepared, {"in-process", "none", "none"});
          } catch (const std::exception& error) {
            fail_all(message(prepared, rank, error));
          }
        });
      }
    } catch (const std::exception& error) {
      fail_all(text_of(error));
    }
  }
  return exit_code;
}

}  // namespace odsgd
