#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct z_stream_s;  // zlib's z_stream

namespace odsgd::prep {

/// Whether content with this beginning is gzip data.
bool is_gzip(std::span<const std::uint8_t> head);

/// Decodes gzip data (RFC 1952), one or more members, that comes piece by piece.
class Gunzip {
 public:
  /// `path` is the subject of error texts.
  explicit Gunzip(std::string path);

  /// Decodes from the front of `in` to the front of `out` and shortens both by what was used, until
  /// one is empty. Throws Error when the data is damaged, its checksum does not fit, or something
  /// else than gzip data follows a member.
  void decode(std::span<const std::uint8_t>& in, std::span<std::uint8_t>& out);

  /// The last member was decoded to its end: the data may end here.
  bool is_complete() const { return !in_member_; }

 private:
  struct Free {
    void operator()(z_stream_s* stream) const noexcept;
  };

  std::string path_;
  std::unique_ptr<z_stream_s, Free> stream_;
  bool in_member_ = true;
};

}  // namespace odsgd::prep
