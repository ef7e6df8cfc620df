#pragma once

#include <string>
#include <vector>

#include "app/process.hpp"

namespace odsgd::test {

using Words = std::vector<std::string>;

Words operator+(Words a, const Words& b);

/// Command lines of the program that was built beside the tests.
Words odsgd_command(const Words& arguments);
Words mpirun(int ranks, const Words& command);

/// `odsgd train` on a data file; in-process with this many workers, or under mpirun with this many
/// ranks.
Words train_in_process(int workers, const Words& options);
Words train_over_mpi(int ranks, const Words& options);

/// The lines of `text` that the program itself, and not the launcher, has printed as errors.
std::vector<std::string> error_lines(const std::string& text);

/// The process of a rank among those that mpirun has started. Throws Error when it does not run.
pid_t process_of_rank(const Process& launcher, int rank);

}  // namespace odsgd::test
