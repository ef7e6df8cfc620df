#pragma once

#include <string>
#include <variant>

#include "odsgd/transport/mpi.hpp"
#include "options.hpp"
#include "usage_error.hpp"

namespace odsgd {

/// What a rank was told, or why it could not understand it. Under a launcher an error is not
/// reported at once: the ranks first meet, so that it is said once and all end.
using Orders = std::variant<TrainOptions, UsageError>;

/// Trains as one rank of an MPI job. Returns the exit code.
int train_over_mpi(const Orders& orders);

/// Trains with threads of this process as ranks. Returns the exit code.
int train_in_process(const TrainOptions& options);

}  // namespace odsgd
