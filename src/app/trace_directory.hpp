#pragma once

#include <string>

namespace odsgd {

/// Throws Error unless a run can write its traces into a directory of this path: there may be one,
/// but without any run's traces; else one must be possible here.
void check_trace_directory(const std::string& path);

/// Creates it, with its parents, unless it is there. Throws Error when it cannot be created.
void create_trace_directory(const std::string& path);

}  // namespace odsgd
