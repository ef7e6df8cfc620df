#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "trace_directory.hpp"

using namespace odsgd;
using namespace odsgd::test;
namespace fs = std::filesystem;

namespace {

std::string check_error(const std::string& path) {
  return error_text([&] { check_trace_directory(path); });
}

}  // namespace

TEST_CASE("trace directory: a new one passes, and is created with its parents, by many ranks") {
  const TemporaryDirectory place;
  for (const char* name : {"a", "b/", "c/d/e", "./h"}) {
    const std::string path = place.file(name);
    CAPTURE(path);
    CHECK(check_error(path) == "no error");
    CHECK_FALSE(fs::exists(path));

    for (int rank = 0; rank < 2; ++rank) {
      CHECK(error_text([&] { create_trace_directory(path); }) == "no error");
      CHECK(fs::is_directory(path));
    }
    CHECK(check_error(path) == "no error");
  }
}

TEST_CASE("trace directory: other files in it do not matter, and traces of a rank are refused") {
  const TemporaryDirectory place;
  std::ofstream(place.file("run.h5")) << "x";
  std::ofstream(place.file("trace.json")) << "x";
  CHECK(check_error(place.path()) == "no error");

  std::ofstream(place.file("rank-0002.json")) << "x";

  CHECK(check_error(place.path()) ==
        "--trace " + place.path() +
            ": got rank-0002.json of another run, want none (choose another directory)");
}

TEST_CASE("trace directory: a file in the way is named") {
  const TemporaryDirectory place;
  std::ofstream(place.file("file")) << "x";

  for (const char* name : {"file", "file/below"}) {
    const std::string path = place.file(name);
    CHECK(check_error(path) ==
          "--trace " + path + ": " + place.file("file") + " is not a directory");
    CHECK(says(error_text([&] { create_trace_directory(path); }),
               "--trace " + path + ": cannot be created: "));
  }
}
