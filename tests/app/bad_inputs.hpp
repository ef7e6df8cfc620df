#pragma once

#include <string>

#include "app/program.hpp"

namespace odsgd::test {

/// Writes data files with one fault each, and configuration files, into a directory; tiny.h5 is the
/// good one.
void write_bad_inputs(const std::string& directory);

/// A command that has to fail: one line on stderr, nothing written.
struct BadCommand {
  Words fault;       ///< options of `odsgd train`
  std::string want;  ///< stands in the line
  int exit_code;

  /// The fault, and in front of it what else a training needs.
  Words options() const;
};

/// Faults that each rank sees.
std::vector<BadCommand> bad_commands();

/// Faults that only ranks with samples see: under mpirun the line begins with their number.
std::vector<BadCommand> bad_samples();

}  // namespace odsgd::test
