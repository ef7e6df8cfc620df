#pragma once

#include <string>

#include "check_in.hpp"
#include "job.hpp"
#include "odsgd/record/run_log.hpp"
#include "run_rank.hpp"

namespace odsgd {

/// "server 0", "worker 2", "server 1 and worker 1".
std::string role_of(const Roles& roles, int rank);

/// What the log says of a run before its first step: every option, and where it runs.
RunDescription describe_run(const Job& job, const CheckIn& check, const TransportInfo& transport,
                            const std::string& device);

/// The same for people, at the start of a run; several lines.
std::string start_text(const Job& job, const CheckIn& check, const TransportInfo& transport,
                       const std::string& device);

}  // namespace odsgd
