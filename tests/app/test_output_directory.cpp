#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "output_directory.hpp"

using namespace odsgd;
using namespace odsgd::test;
namespace fs = std::filesystem;

namespace {

std::string check_error(const std::string& path) {
  return error_text([&] { check_output_directory(path); });
}

}  // namespace

TEST_CASE("output directory: a new one passes, and is created with its parents") {
  const TemporaryDirectory place;
  for (const char* name : {"a", "b/", "c/d/e", "f/../g", "./h"}) {
    const std::string path = place.file(name);
    CAPTURE(path);
    CHECK(check_error(path) == "no error");
    CHECK_FALSE(fs::exists(path));

    create_output_directory(path);

    CHECK(fs::is_directory(fs::path(path).lexically_normal()));
    CHECK(says(check_error(path), "exists already"));
    CHECK(says(error_text([&] { create_output_directory(path); }), "exists already"));
  }
}

TEST_CASE("output directory: what exists is refused, be it file, directory or dangling link") {
  const TemporaryDirectory place;
  std::ofstream(place.file("file")) << "x";
  fs::create_symlink("nowhere", place.file("link"));

  for (const std::string& path : {place.path(), place.file("file"), place.file("link"),
                                  place.path() + "/", place.file("x/../file")}) {
    CAPTURE(path);
    CHECK(says(check_error(path), "exists already (a run never overwrites"));
  }
  CHECK(says(check_error(place.file("file/below")), "file is not a directory"));
}

TEST_CASE("output directory: a parent that cannot be written is named") {
  const TemporaryDirectory place;
  chmod(place.path().c_str(), 0555);

  const pid_t child = fork();
  if (child == 0) {  // root may write everywhere, so somebody else has to try
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(2);
    _exit(says(check_error(place.file("out")), "cannot write in " + place.path()) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);

  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("output directory: one that came to nothing is removed, but never what else is in it") {
  const TemporaryDirectory place;
  create_output_directory(place.file("a/out"));
  write_text(place.file("a/out/config.toml"), "x");
  discard_output_directory(place.file("a/out"), {"config.toml", "run.h5"});
  CHECK_FALSE(fs::exists(place.file("a/out")));
  CHECK(fs::exists(place.file("a")));

  create_output_directory(place.file("b"));
  write_text(place.file("b/run.h5"), "x");
  write_text(place.file("b/of-others"), "x");
  discard_output_directory(place.file("b"), {"config.toml", "run.h5"});
  CHECK_FALSE(fs::exists(place.file("b/run.h5")));
  CHECK(fs::exists(place.file("b/of-others")));
}

TEST_CASE("write text: the file is there whole, or an error and no file") {
  const TemporaryDirectory place;

  write_text(place.file("a.txt"), "two\nlines\n");

  std::ifstream in(place.file("a.txt"));
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "two\nlines\n");
  CHECK(says(error_text([&] { write_text(place.file("none/a.txt"), "x"); }),
             "none/a.txt: cannot be written: No such file or directory"));
  CHECK(std::distance(fs::directory_iterator(place.path()), {}) == 1);
}
