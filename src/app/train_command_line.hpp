#pragma once

#include <CLI/CLI.hpp>

#include "options.hpp"

namespace odsgd {

/// The options of `odsgd train`; their defaults are those that `options` has.
void add_train_options(CLI::App& app, TrainOptions& options);

}  // namespace odsgd
