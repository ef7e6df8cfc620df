#pragma once

#include <filesystem>
#include <string>

#include "deferred_signals.hpp"

namespace odsgd::prep {

/// What to do when the output exists already.
enum class Existing { kKeep, kReplace };

/// Throws Error unless a file can be written at `path`: its directory is there and writable, and
/// nothing is at `path` but, with kReplace, a regular file. To be called before any work.
void check_output(const std::string& path, Existing existing);

/// A file that appears under its name only when it is complete.
///
/// It is written under a temporary name beside its own and renamed by commit(). Without commit(),
/// by an error or a signal (SIGINT, SIGTERM, SIGHUP), the temporary is removed, and what was at its
/// name is still there. Only kill -9 or a crash of the machine leave NAME.partial-<random>.
class OutputFile {
 public:
  /// Checks the path like check_output and chooses the temporary name; creates nothing.
  OutputFile(std::string path, Existing existing);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& temporary_path() const { return temporary_; }  ///< create the file here

  /// Throws Error when a signal wants the process to end; call it between pieces of work.
  void throw_if_stopped() const { signals_.throw_if_pending(); }

  /// Forces the closed temporary to the disk and gives it its name. Throws Error when that fails;
  /// with kKeep also when another file has taken the name meanwhile.
  void commit();

 private:
  DeferredSignals signals_;  // first: a signal takes effect after the temporary is gone
  std::string path_;
  std::string temporary_;
  Existing existing_;
  bool is_committed_ = false;
};

}  // namespace odsgd::prep
