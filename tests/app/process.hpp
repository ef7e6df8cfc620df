#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace odsgd::test {

/// What a program left behind.
struct Outcome {
  int exit_code = 0;  ///< of a signal 128 + its number, as in a shell
  std::string out;
  std::string err;
  double lingered_s = 0;  ///< from its end to that of the last process it had started
};

/// A program that runs, with all the processes that it starts.
///
/// The test becomes the parent of processes whose own parent has gone, and so sees the last one
/// end. One program at a time.
class Process {
 public:
  /// Starts `words` (program and arguments; the program is searched on the PATH) in `directory`,
  /// with no input.
  Process(const std::vector<std::string>& words, const std::string& directory);
  ~Process();  ///< kills what still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }

  /// Waits until its output holds `text`. Throws Error after 30 s, or when it ends before.
  void wait_for_output(const std::string& text);

  /// The processes that it has started and that still run.
  std::vector<pid_t> children() const;

  /// Waits for the end of it and of all that it has started. Throws Error when it runs for more
  /// than 200 s, or what it has started outlives it by more than 10 s.
  Outcome wait();

 private:
  bool has_ended();  ///< reaps it

  std::string name_;
  std::string out_;  // paths
  std::string err_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool is_running_ = true;
};

/// Runs to the end.
Outcome run(const std::vector<std::string>& words, const std::string& directory);

}  // namespace odsgd::test
