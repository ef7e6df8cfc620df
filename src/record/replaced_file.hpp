#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace odsgd {

/// A text file that comes into being, or takes the place of an older one, only when it is complete:
/// it is written to path + ".part" and then renamed.
class ReplacedFile {
 public:
  /// Throws Error when it cannot be created.
  explicit ReplacedFile(std::string path);
  ~ReplacedFile();  ///< without finish() before, nothing is left
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  void write(std::string_view text);  ///< a failure shows in finish() at the latest

  /// Throws Error when anything could not be written.
  void finish();

 private:
  void require(bool is_done) const;

  std::string path_;
  std::string unfinished_;
  std::ofstream out_;
  bool is_finished_ = false;
};

}  // namespace odsgd
