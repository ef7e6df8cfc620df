#pragma once

namespace odsgd {

/// Exit codes of the program.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,  ///< bad data, a broken exchange, divergence, a full disk
  kUsage = 2,    ///< bad command line or configuration
};

/// The program: runs the sub-command that the command line names, reports errors on stderr, and
/// returns the exit code. Under a launcher (mpirun, srun) this process is one rank of the job.
int run_program(int argc, char** argv);

}  // namespace odsgd
