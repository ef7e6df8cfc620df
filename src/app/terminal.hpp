#pragma once

#include <string>

namespace odsgd {

/// Whether to draw a progress bar on stdout; `choice` is auto, on or off. Auto: when stdout is a
/// terminal. Open MPI gives each rank a terminal of its own, so under a launcher it is the
/// launcher's stdout that counts.
bool draws_progress(const std::string& choice);

}  // namespace odsgd
