#include "idx.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "foreign_content.hpp"
#include "odsgd/base/error.hpp"
#include "source_file.hpp"

namespace odsgd::prep {
namespace {

constexpr std::uint8_t kUnsignedByte = 0x08;
constexpr std::uint32_t kMaxSide = 1U << 16U;  // so that no product of 4 G x side x side overflows
constexpr std::size_t kPiece = std::size_t{1} << 24U;

std::size_t dimensions(IdxContent content) { return content == IdxContent::kImages ? 3 : 1; }
std::string_view name(IdxContent content) {
  return content == IdxContent::kImages ? "images" : "labels";
}
IdxContent other(IdxContent content) {
  return content == IdxContent::kImages ? IdxContent::kLabels : IdxContent::kImages;
}

std::string_view element_type(std::uint8_t code) {
  switch (code) {
    case 0x08:
      return "unsigned byte";
    case 0x09:
      return "signed byte";
    case 0x0B:
      return "16-bit integer";
    case 0x0C:
      return "32-bit integer";
    case 0x0D:
      return "32-bit float";
    case 0x0E:
      return "64-bit float";
    default:
      return "unknown";
  }
}

std::uint32_t big_endian(std::span<const std::uint8_t> bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U |
         std::uint32_t{bytes[2]} << 8U | std::uint32_t{bytes[3]};
}

/// `head`: the content's first bytes, as many as there are up to kForeignHead.
void check_magic(const std::string& path, std::span<const std::uint8_t> head, IdxContent want) {
  const std::string magic = fmt::format("00 00 08 {:02x}", dimensions(want));
  if (const auto foreign = name_foreign_content(head)) {
    fail("{}: got {}, want an idx file of {}", path, *foreign, name(want));
  }
  const auto require_size = [&](std::size_t size) {
    ODSGD_REQUIRE(head.size() >= size,
                  "{}: got {} bytes, want an idx file of {} (truncated: get it again)", path,
                  head.size(), name(want));
  };
  require_size(4);
  ODSGD_REQUIRE(head[0] == 0 && head[1] == 0,
                "{}: got {:02x} as first bytes, want {} (is this an idx file?)", path,
                fmt::join(head.first(4), " "), magic);
  ODSGD_REQUIRE(head[2] == kUnsignedByte,
                "{}: got values of type 0x{:02x} ({}), want 0x08 (unsigned byte)", path, head[2],
                element_type(head[2]));
  ODSGD_REQUIRE(head[3] != dimensions(other(want)),
                "{}: got {}, want {} (are the files of images and labels swapped?)", path,
                name(other(want)), name(want));
  ODSGD_REQUIRE(head[3] == dimensions(want), "{}: got {} dimensions, want {} for {}", path, head[3],
                dimensions(want), name(want));
  require_size(4 + 4 * dimensions(want));
}

/// The number of values that the shape says; checked against what the file can hold.
std::uint64_t checked_size(const SourceFile& file, const std::vector<std::uint32_t>& shape,
                           std::uint64_t header_size, IdxContent want) {
  ODSGD_REQUIRE(shape[0] > 0, "{}: got 0 {}, want at least 1", file.path(), name(want));
  std::uint64_t size = shape[0];
  for (std::size_t d = 1; d < shape.size(); ++d) {
    ODSGD_REQUIRE(shape[d] >= 1 && shape[d] <= kMaxSide,
                  "{}: got images of {} pixels, want sides of 1 to {}", file.path(),
                  fmt::join(shape.begin() + 1, shape.end(), " x "), kMaxSide);
    size *= shape[d];
  }
  const std::uint64_t want_bytes = header_size + size;
  const std::uint64_t most = file.longest_content();
  ODSGD_REQUIRE(want_bytes <= most,
                "{}: got {}{} bytes, want {}, which its header says ({} {}; truncated or damaged: "
                "get the file again)",
                file.path(), file.is_gzip() ? "gzip data of at most " : "", most, want_bytes,
                fmt::join(shape, " x "), name(want));
  return size;
}

/// Reads on until `values` has `size` values, and makes sure that nothing follows.
void read_rest(SourceFile& file, std::uint64_t size, std::vector<std::uint8_t>& values) {
  while (values.size() < size) {  // by pieces: a damaged header costs no more than what is there
    const std::size_t begin = values.size();
    const std::size_t piece = std::min<std::uint64_t>(kPiece, size - begin);
    values.resize(begin + piece);
    const std::size_t got = file.read(std::span(values).subspan(begin));
    ODSGD_REQUIRE(got == piece, "{}: got {} values, want {} (truncated: get the file again)",
                  file.path(), begin + got, size);
  }
  std::array<std::uint8_t, 1> behind{};  // reading it also checks the checksum of gzip data
  ODSGD_REQUIRE(values.size() == size && file.read(behind) == 0,
                "{}: got more bytes behind its {} values, want the end of the file (another "
                "format, or damaged?)",
                file.path(), size);
}

}  // namespace

IdxFile read_idx(const std::string& path, IdxContent want) {
  SourceFile file(path);
  std::array<std::uint8_t, kForeignHead> buffer{};
  const std::size_t begun = file.read(buffer);
  const auto head = std::span<const std::uint8_t>(buffer).first(begun);
  check_magic(path, head, want);

  const std::size_t header_size = 4 + 4 * dimensions(want);
  IdxFile idx;
  idx.path = path;
  for (std::size_t at = 4; at < header_size; at += 4) {
    idx.shape.push_back(big_endian(head.subspan(at, 4)));
  }
  const std::uint64_t size = checked_size(file, idx.shape, header_size, want);
  const auto first_values = head.subspan(header_size);
  idx.values.assign(first_values.begin(), first_values.end());
  read_rest(file, size, idx.values);
  idx.sha256 = file.sha256();
  return idx;
}

}  // namespace odsgd::prep
