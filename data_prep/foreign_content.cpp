#include "foreign_content.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace odsgd::prep {
namespace {

struct Signature {
  std::string_view begin;
  std::string_view name;
};

using namespace std::string_view_literals;
constexpr std::array kSignatures{
    Signature{"\x1F\x8B"sv, "gzip data inside gzip data (unpack it once)"},
    Signature{"PK\x03\x04"sv, "a zip archive (unpack it first)"},
    Signature{"\xFD"
              "7zXZ\0"sv,
              "xz data (unpack it first)"},
    Signature{"BZh"sv, "bzip2 data (unpack it first)"},
    Signature{"\x28\xB5\x2F\xFD"sv, "zstd data (unpack it first)"},
    Signature{"\x89HDF\r\n\x1A\n"sv, "an HDF5 file (already packed?)"},
    Signature{"\x93NUMPY"sv, "a NumPy array"},
    Signature{"\x89PNG"sv, "a PNG image"},
    Signature{"\xFF\xD8\xFF"sv, "a JPEG image"},
    Signature{"version https://git-lfs"sv, "a Git LFS pointer (git lfs pull)"},
};

}  // namespace

std::optional<std::string> name_foreign_content(std::span<const std::uint8_t> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  for (const Signature& signature : kSignatures) {
    if (text.starts_with(signature.begin)) return std::string(signature.name);
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // UTF-8 byte order mark
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
  if (text.starts_with('<')) return "a web page (did the download fail?)";
  if (text.starts_with('{')) return "JSON text (did the download fail?)";
  return std::nullopt;
}

}  // namespace odsgd::prep
