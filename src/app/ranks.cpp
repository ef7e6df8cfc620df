#include "ranks.hpp"

#include <mutex>
#include <thread>
#include <vector>

#include "error_text.hpp"
#include "odsgd/app/app.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {

bool start_mpi(std::optional<MpiSession>& session) {
  try {
    session.emplace();
    return true;
  } catch (const std::exception& error) {
    // MPI tells all ranks the same; the launcher's number is the only one there is yet.
    if (launch_from_environment().rank == 0) {
      print_error(fmt::format("rank 0 on {}: {}", host_name(), error.what()));
    }
    return false;
  }
}

int run_on_threads(int ranks, const std::function<void(int)>& body, const DescribeFailure& describe,
                   const std::function<void(const std::string&)>& abort) {
  std::mutex mutex;
  int exit_code = kSuccess;
  const auto fail_all = [&](const std::string& why) {
    // The first failure is the cause; the others follow from it.
    const std::lock_guard lock(mutex);
    if (exit_code == kSuccess) print_error(why);
    exit_code = kFailure;
    abort(why);
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
          try {
            body(rank);
          } catch (const std::exception& error) {
            fail_all(describe(rank, error));
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
