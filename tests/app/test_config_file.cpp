#include <doctest/doctest.h>

#include <sstream>

#include "config_file.hpp"
#include "h5/error_text.hpp"
#include "usage_error.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

std::vector<ConfigEntry> read(const std::string& text) {
  std::istringstream in(text);
  return read_config(in, "f.toml");
}

std::string value_of(const std::string& text) { return read("x = " + text).at(0).value; }

std::string error_of(const std::string& line) {
  return error_text([&] { read("a = 1\n" + line + "\n"); });
}

}  // namespace

TEST_CASE("config file: names and values, with their lines, between comments and empty lines") {
  const auto entries = read("# first\n\nlr=0.1\r\n  batch-per-worker  =  64 # why\nx = true");

  REQUIRE(entries.size() == 3);
  CHECK(entries[0].name == "lr");
  CHECK(entries[0].value == "0.1");
  CHECK(entries[0].line == 3);
  CHECK(entries[1].name == "batch-per-worker");
  CHECK(entries[1].value == "64");
  CHECK(entries[2].value == "true");
  CHECK(entries[2].line == 5);
}

TEST_CASE("config file: strings as TOML has them") {
  CHECK(value_of(R"("a b")") == "a b");
  CHECK(value_of(R"("a # b" # c)") == "a # b");
  CHECK(value_of(R"("a = \"b\" \\ \t \n")") == "a = \"b\" \\ \t \n");
  CHECK(value_of(R"('C:\new "x"')") == R"(C:\new "x")");
  CHECK(value_of(R"("")") == "");
  CHECK(value_of(R"("A\u0001\u00e9\u20AC")") == "A\x01\xC3\xA9\xE2\x82\xAC");
}

TEST_CASE("config file: numbers and truth values come as the command line takes them") {
  CHECK(value_of("64") == "64");
  CHECK(value_of("-1") == "-1");
  CHECK(value_of("1e-4") == "0.0001");
  CHECK(value_of("0.05") == "0.05");
  CHECK(value_of("nan") == "nan");
  CHECK(value_of("false") == "false");
}

TEST_CASE("config file: what is not TOML is an error that names file and line") {
  for (const char* line :
       {"lr", "= 1", "lr =", "lr = 0.1 0.2", "lr = \"0.1", "lr = \"a\" b", "lr = \"\\q\"",
        "lr = ssgd", "learning rate = 1", "lr = 'a", "lr == 1"}) {
    CAPTURE(line);
    CHECK(says(error_of(line), "f.toml:2: "));
  }
  CHECK(says(error_of("a = 2"), "f.toml:2: "));  // stands in line 1 already
}

TEST_CASE("config file: TOML that is no option's value is an error that names the key") {
  CHECK(error_of("lr = [1, 2]") ==
        "f.toml:2: lr: got a list, want a string, a number, true or false");
  CHECK(error_of("[train]") ==
        "f.toml:2: train: got a table, want a string, a number, true or false");
  CHECK(error_of("lr = 2020-01-01") ==
        "f.toml:2: lr: got a date, want a string, a number, true or false");
}
