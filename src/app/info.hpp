#pragma once

#include "options.hpp"

namespace odsgd {

/// `odsgd info`: prints what is in a data file or a run's log. Throws Error when the file is
/// neither.
void show_file(const InfoOptions& options);

}  // namespace odsgd
