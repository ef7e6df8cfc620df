#pragma once

#include <string>
#include <vector>

#include "odsgd/transport/endpoint.hpp"

namespace odsgd {

/// What a rank says of itself before a run begins.
struct Hello {
  std::string error;  ///< why it cannot take part; empty: it can
  bool is_usage_error = false;
  std::string options;  ///< TOML; must be the same on all ranks
  std::string name;     ///< `rank 3 (worker 2)`, as far as it knows
  std::string host;
  int cpus_allowed = 0;
};

/// What came of it, the same on all ranks.
struct CheckIn {
  std::vector<std::string> errors;  ///< one line each; empty: the run begins
  bool is_usage_error = false;
  std::vector<Hello> ranks;  ///< who takes part
  std::string run_id;        ///< another in every run

  /// Messages of ranks that began before this one knew; to be dispatched first.
  std::vector<Message> early;
};

/// Gathers the hello of every rank at rank 0, which compares them and tells all the result. Point
/// to point, so a rank that is gone is an Error after `timeout_s` and not a hang.
CheckIn check_in(Endpoint& endpoint, const Hello& hello, double timeout_s);

}  // namespace odsgd
