#pragma once

#include <optional>
#include <string>
#include <vector>

#include "odsgd/ps/roles.hpp"
#include "options.hpp"

namespace odsgd {

/// Values of --exchange: by parameter servers, or by sums over all workers without any.
const std::vector<std::string>& exchange_names();

/// The algorithms that need no servers: those that update once all workers' gradients are there,
/// and push float32.
std::vector<std::string> serverless_algorithm_names();

/// The number of ranks that --servers and --workers ask for when no launcher started them. Throws
/// UsageError without --workers.
int ranks_wanted(const std::string& servers, const std::optional<int>& workers);
int ranks_wanted(const TrainOptions& options);

/// Who does what, on this many ranks. Throws UsageError when they are too few, or not as many as
/// --workers says; and for options that do not go together without servers.
Roles roles_of(const std::string& servers, const std::optional<int>& workers, int ranks);
Roles roles_of(const TrainOptions& options, int ranks);

}  // namespace odsgd
