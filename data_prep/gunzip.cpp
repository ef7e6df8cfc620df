#include "gunzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "odsgd/base/error.hpp"

namespace odsgd::prep {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

uInt length(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

[[noreturn]] void fail_damaged(const std::string& path, const char* message) {
  const std::string_view reason = message == nullptr ? "no reason given" : message;
  ODSGD_REQUIRE(reason != "incorrect data check" && reason != "incorrect length check",
                "{}: got gzip data whose checksum does not fit its content, want undamaged data "
                "(get the file again)",
                path);
  fail("{}: got damaged gzip data ({}), want undamaged data (get the file again)", path, reason);
}

}  // namespace

bool is_gzip(std::span<const std::uint8_t> head) {
  return head.size() >= 2 && head[0] == 0x1F && head[1] == 0x8B;
}

void Gunzip::Free::operator()(z_stream_s* stream) const noexcept {
  inflateEnd(stream);
  delete stream;
}

Gunzip::Gunzip(std::string path) : path_(std::move(path)), stream_(new z_stream{}) {
  ODSGD_REQUIRE(inflateInit2(stream_.get(), kGzipOnly) == Z_OK, "{}: cannot start zlib", path_);
}

void Gunzip::decode(std::span<const std::uint8_t>& in, std::span<std::uint8_t>& out) {
  while (!in.empty() && !out.empty()) {
    if (!in_member_) {
      ODSGD_REQUIRE(in[0] == 0x1F,
                    "{}: got other bytes behind the gzip data, want the end of the file", path_);
      inflateReset(stream_.get());
      in_member_ = true;
    }
    stream_->next_in = const_cast<Bytef*>(in.data());  // zlib only reads there
    stream_->avail_in = length(in.size());
    stream_->next_out = out.data();
    stream_->avail_out = length(out.size());
    const int result = inflate(stream_.get(), Z_NO_FLUSH);
    in = in.subspan(static_cast<std::size_t>(stream_->next_in - in.data()));
    out = out.subspan(static_cast<std::size_t>(stream_->next_out - out.data()));
    if (result == Z_STREAM_END) {
      in_member_ = false;
    } else if (result != Z_OK) {
      fail_damaged(path_, stream_->msg);
    }
  }
}

}  // namespace odsgd::prep
