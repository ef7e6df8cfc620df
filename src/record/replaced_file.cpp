#include "replaced_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd {

ReplacedFile::ReplacedFile(std::string path)
    : path_(std::move(path)), unfinished_(path_ + ".part") {
  errno = 0;
  out_.open(unfinished_, std::ios::binary | std::ios::trunc);
  require(out_.is_open());
}

ReplacedFile::~ReplacedFile() {
  if (is_finished_) return;
  out_.close();
  std::remove(unfinished_.c_str());
}

void ReplacedFile::write(std::string_view text) {
  errno = 0;
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  require(out_.good());
}

void ReplacedFile::finish() {
  errno = 0;
  out_.close();
  require(out_.good());
  require(std::rename(unfinished_.c_str(), path_.c_str()) == 0);
  is_finished_ = true;
}

void ReplacedFile::require(bool is_done) const {
  ODSGD_REQUIRE(is_done, "{}: cannot be written: {}", path_,
                std::strerror(errno != 0 ? errno : EIO));
}

}  // namespace odsgd
