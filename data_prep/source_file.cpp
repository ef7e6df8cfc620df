#include "source_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "odsgd/base/error.hpp"

namespace odsgd::prep {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 18U;

/// Deflate's best: a match of 258 bytes in 2 bits.
constexpr std::uint64_t kMostPerGzipByte = 1032;

}  // namespace

SourceFile::SourceFile(std::string path) : path_(std::move(path)), buffer_(kBufferSize) {
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);  // before opening: a pipe would block
  ODSGD_REQUIRE(!std::filesystem::exists(status) || std::filesystem::is_regular_file(status),
                "{}: is not a regular file", path_);
  file_.reset(std::fopen(path_.c_str(), "rb"));
  ODSGD_REQUIRE(file_ != nullptr, "{}: cannot open: {}", path_, std::strerror(errno));
  stored_size_ = std::filesystem::file_size(path_, error);
  ODSGD_REQUIRE(!error, "{}: cannot get its size: {}", path_, error.message());
  ODSGD_REQUIRE(refill(), "{}: is empty (get the file again)", path_);
  if (prep::is_gzip(unread_)) gunzip_.emplace(path_);
}

std::uint64_t SourceFile::longest_content() const {
  return is_gzip() ? stored_size_ * kMostPerGzipByte : stored_size_;
}

std::size_t SourceFile::read(std::span<std::uint8_t> into) {
  std::span<std::uint8_t> left = into;
  while (!left.empty() && (!unread_.empty() || refill())) {
    if (gunzip_) {
      gunzip_->decode(unread_, left);
    } else {
      const std::size_t count = std::min(left.size(), unread_.size());
      std::copy_n(unread_.begin(), count, left.begin());
      unread_ = unread_.subspan(count);
      left = left.subspan(count);
    }
  }
  ODSGD_REQUIRE(left.empty() || !gunzip_ || gunzip_->is_complete(),
                "{}: got gzip data that breaks off after {} bytes, want all of it (the file is "
                "truncated: get it again)",
                path_, stored_size_);
  return into.size() - left.size();
}

bool SourceFile::refill() {
  const std::size_t count = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
  ODSGD_REQUIRE(count > 0 || std::ferror(file_.get()) == 0, "{}: cannot read: {}", path_,
                std::strerror(errno));
  unread_ = std::span(buffer_).first(count);
  hash_.add(std::as_bytes(unread_));
  return count > 0;
}

}  // namespace odsgd::prep
