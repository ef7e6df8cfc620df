#pragma once

#include "options.hpp"

namespace odsgd {

/// `odsgd info`: prints what is in a data file or a run's log, or joins the traces of a run's ranks
/// and prints what is in them. Throws Error when it is none of these.
void show_info(const InfoOptions& options);

}  // namespace odsgd
