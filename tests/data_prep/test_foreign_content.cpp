#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "foreign_content.hpp"

namespace {

std::string name_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(text.data());
  return odsgd::prep::name_foreign_content({first, text.size()}).value_or("?");
}

}  // namespace

TEST_CASE("web pages are known by their first bytes, with blanks or a byte order mark before") {
  const std::string web_page = "a web page (did the download fail?)";
  CHECK(name_of("<!DOCTYPE html><html>") == web_page);
  CHECK(name_of("\r\n\t <html>") == web_page);
  CHECK(name_of("\xEF\xBB\xBF<?xml version=\"1.0\"?>") == web_page);
}

TEST_CASE("archives, JSON and LFS pointers are known by their first bytes") {
  CHECK(name_of("PK\x03\x04zip") == "a zip archive (unpack it first)");
  CHECK(name_of({"\xFD\x37zXZ\0x", 7}) == "xz data (unpack it first)");
  CHECK(name_of("\x1F\x8B\x08") == "gzip data inside gzip data (unpack it once)");
  CHECK(name_of("{\"message\": \"Not Found\"}") == "JSON text (did the download fail?)");
  CHECK(name_of("version https://git-lfs.github.com/spec/v1") ==
        "a Git LFS pointer (git lfs pull)");
}

TEST_CASE("idx data, nothing and unknown bytes have no name") {
  CHECK(name_of({"\0\0\x08\x03", 4}) == "?");
  CHECK(name_of("") == "?");
  CHECK(name_of("   ") == "?");
  CHECK(name_of("hello") == "?");
}
