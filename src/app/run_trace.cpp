#include "run_trace.hpp"

#include <cstdio>
#include <vector>

#include "odsgd/base/shell.hpp"
#include "odsgd/record/chrome_trace.hpp"
#include "run_description.hpp"
#include "trace_directory.hpp"

namespace odsgd {

RunTrace::RunTrace(const Job& job, Endpoint& endpoint, std::string run_id)
    : job_(job),
      rank_(endpoint.rank()),
      run_id_(std::move(run_id)),
      tracer_{.timeline = std::make_shared<Timeline>()},
      clocks_(endpoint, job.roles.worker_rank(0)) {}

void RunTrace::begin() {
  if (rank_ == job_.roles.worker_rank(0)) clocks_.begin();
}

void RunTrace::write() const {
  std::vector<std::string> keys;
  for (Key key = 0; key < job_.layout.keys(); ++key) keys.push_back(job_.layout[key].name);
  const Timeline& timeline = *tracer_.timeline;
  create_trace_directory(job_.options.trace);
  write_chrome_trace(job_.options.trace + "/" + trace_file_name(rank_),
                     {.rank = rank_,
                      .ranks = job_.roles.ranks(),
                      .role = role_of(job_.roles, rank_),
                      .host = host_name(),
                      .run_id = run_id_},
                     timeline, keys, clock_);
  if (rank_ == job_.roles.worker_rank(0)) {
    fmt::print("{:<15}odsgd info --trace {}   (joins the ranks' files, to look at)\n", "trace",
               shell_quoted(job_.options.trace));
  }
  if (timeline.dropped() > 0) {
    fmt::print("note: the trace of {} has its first {} spans: there was no room for {} more\n",
               name_of_rank(job_.roles, rank_), timeline.size(), timeline.dropped());
  }
  std::fflush(stdout);
}

}  // namespace odsgd
