#pragma once

#include <CLI/CLI.hpp>

#include "update_options.hpp"

namespace odsgd {

/// The options of `odsgd train` that say how weights are updated; they are parsed into `options`.
void add_update_options(CLI::App& app, UpdateOptions& options);

}  // namespace odsgd
