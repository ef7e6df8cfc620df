#pragma once

#include <string>

#include "odsgd/record/run_log.hpp"

namespace odsgd::test {

RunDescription sample_description();

/// Rows of 2 epochs of 10 steps of 4 images, with 1 server (rank 0) and 2 workers. Times are
/// multiplied by `slowness`.
RunRows sample_rows(double slowness = 1);

/// Writes the sample's rows.
void add_all(RunLog& log, const RunRows& rows);

}  // namespace odsgd::test
