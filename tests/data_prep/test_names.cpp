#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "names.hpp"

using odsgd::prep::fault_of_name;
using odsgd::prep::split_names;
using odsgd::test::error_text;

namespace {

std::string error_of(const std::string& list) {
  return error_text([&] { split_names(list, "--class-names"); });
}

}  // namespace

TEST_CASE("names are split at commas; blanks around them go, blanks inside stay") {
  CHECK(split_names("T-shirt/top, Ankle boot ,c", "") ==
        std::vector<std::string>{"T-shirt/top", "Ankle boot", "c"});
  CHECK(split_names("one", "") == std::vector<std::string>{"one"});
}

TEST_CASE("an empty name is refused, wherever it stands") {
  CHECK(error_of("a,,b") == "--class-names: name 2 is empty, want names separated by commas");
  CHECK(error_of(",a") == "--class-names: name 1 is empty, want names separated by commas");
  CHECK(error_of("a,") == "--class-names: name 2 is empty, want names separated by commas");
  CHECK(error_of("a, ") == "--class-names: name 2 is empty, want names separated by commas");
  CHECK(error_of("") == "--class-names: name 1 is empty, want names separated by commas");
}

TEST_CASE("a name that comes twice is refused with both places") {
  CHECK(error_of("a,b,c, b") == "--class-names: got 'b' as names 2 and 4, want different names");
}

TEST_CASE("names are UTF-8 without control characters") {
  CHECK(fault_of_name("日本語 Ä") == "");
  CHECK(fault_of_name("caf\xE9") == "is not UTF-8");    // Latin-1
  CHECK(fault_of_name("\x80") == "is not UTF-8");       // continues nothing
  CHECK(fault_of_name("\xC3") == "is not UTF-8");       // breaks off
  CHECK(fault_of_name("\xE2\x82 ") == "is not UTF-8");  // breaks off before the blank
  CHECK(fault_of_name("\xC0\xAF") == "is not UTF-8");   // overlong
  CHECK(fault_of_name("a\nb") == "has control characters");
  CHECK(fault_of_name("a\x7F") == "has control characters");
}
