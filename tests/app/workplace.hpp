#pragma once

#include <map>
#include <string>

#include "app/program.hpp"
#include "h5/temporary_directory.hpp"

namespace odsgd::test {

/// A directory with good and bad input, in which programs run.
class Workplace {
 public:
  Workplace();

  std::string path() const { return directory_.path(); }
  std::string file(const std::string& name) const { return directory_.file(name); }
  bool has(const std::string& name) const;

  Outcome run(const Words& command) const { return test::run(command, path()); }

  /// Every file and directory in it, files with their text, less those that Process writes.
  std::map<std::string, std::string> contents() const;

 private:
  TemporaryDirectory directory_;
};

}  // namespace odsgd::test
