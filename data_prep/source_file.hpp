#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gunzip.hpp"
#include "odsgd/base/sha256.hpp"

namespace odsgd::prep {

/// One input file, read once from front to back, and gunzipped when it holds gzip data: that is
/// decided by its first bytes, whatever its name says.
class SourceFile {
 public:
  /// Throws Error when the file cannot be opened, is no regular file or is empty.
  explicit SourceFile(std::string path);

  const std::string& path() const { return path_; }
  bool is_gzip() const { return gunzip_.has_value(); }

  /// No content is longer, in bytes; that of a plain file is exactly so long.
  std::uint64_t longest_content() const;

  /// Reads the next bytes of the content; returns how many, fewer than asked for only at its end.
  /// Throws Error when reading fails or gzip data is damaged or truncated.
  std::size_t read(std::span<std::uint8_t> into);

  /// SHA-256 of the file as it is stored. Call once, when read() has come to the end.
  std::string sha256() { return hash_.finish(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  bool refill();

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t stored_size_ = 0;
  std::optional<Gunzip> gunzip_;
  std::vector<std::uint8_t> buffer_;
  std::span<const std::uint8_t> unread_;  ///< in buffer_
  Sha256 hash_;
};

}  // namespace odsgd::prep
