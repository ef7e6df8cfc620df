#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "h5/error_text.hpp"
#include "h5/shell.hpp"
#include "h5/temporary_directory.hpp"
#include "idx_files.hpp"

using namespace odsgd::test;

namespace {

namespace fs = std::filesystem;

struct Result {
  int code = 0;
  std::string output;  ///< stdout and stderr
};

Result run(const std::string& arguments) {
  const ShellResult result = shell(std::string(ODSGD_PREP_PROGRAM) + " " + arguments);
  return {WIFEXITED(result.status) ? WEXITSTATUS(result.status) : -1, result.output};
}

bool is_one_line(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && text.ends_with('\n');
}

void check_usage_error(const std::string& arguments, const std::string& part) {
  CAPTURE(arguments);
  const Result result = run(arguments);
  CAPTURE(result.output);
  CHECK(result.code == 2);
  CHECK(result.output.starts_with("odsgd-prep: "));
  CHECK(is_one_line(result.output));
  CHECK(says(result.output, part));
}

}  // namespace

TEST_CASE("odsgd-prep mnist packs, and says what, where and how to look at it") {
  const TemporaryDirectory directory;
  SmallSet().write_to(directory.path());
  const std::string output = directory.file("out.h5");

  const Result result = run("mnist --input " + directory.path() + " --output " + output);

  CHECK(result.code == 0);
  CHECK(result.output == output +
                             ": 3 training and 2 test images of 2 x 2, 10 classes, mean 0.263072, "
                             "std 0.251926\nlook at it: odsgd info " +
                             output + "\n");
  CHECK(fs::exists(output));
}

TEST_CASE("bad data gives one line that begins with the program and the file, and code 1") {
  const TemporaryDirectory directory;
  SmallSet().write_to(directory.path());
  write_bytes(directory.file("t10k-labels-idx1-ubyte"), Bytes(5));

  const Result result =
      run("mnist --input " + directory.path() + " --output " + directory.file("out.h5"));

  CHECK(result.code == 1);
  CHECK(
      result.output.starts_with("odsgd-prep: " + directory.file("t10k-labels-idx1-ubyte") + ": "));
  CHECK(is_one_line(result.output));
  CHECK(!fs::exists(directory.file("out.h5")));
}

TEST_CASE("--force replaces, and without it an existing file is refused with code 1") {
  const TemporaryDirectory directory;
  SmallSet().write_to(directory.path());
  write_bytes(directory.file("out.h5"), {1});
  const std::string arguments =
      "mnist --input " + directory.path() + " --output " + directory.file("out.h5");

  CHECK(run(arguments).code == 1);
  CHECK(read_bytes(directory.file("out.h5")) == Bytes{1});
  CHECK(run(arguments + " --force").code == 0);
  CHECK(read_bytes(directory.file("out.h5")).size() > 1);
}

TEST_CASE("a bad command line gives one line, says where help is, and code 2") {
  check_usage_error("", "(see odsgd-prep --help)");
  check_usage_error("nist", "command: got nist, want mnist (see odsgd-prep --help)");
  check_usage_error("--bogus", "(see odsgd-prep --help)");
  check_usage_error("mnist", "--input is required (see odsgd-prep mnist --help)");
  check_usage_error("mnist --input x", "--output is required (see odsgd-prep mnist --help)");
  check_usage_error("mnist --input x --output y --bogus 1", "--bogus");
  check_usage_error("mnist --input x --output y z", "z");
  check_usage_error("mnist --input '' --output y", "--input");
  check_usage_error("mnist --input x --output ''", "--output");
  check_usage_error("mnist --input x --output y --name ''", "--name");
  check_usage_error("mnist --input x --output y --class-names ''", "--class-names");
  check_usage_error("mnist --input x --output y --class-names a,b,a",
                    "--class-names: got 'a' as names 1 and 3, want different names");
  check_usage_error("mnist --input x --output y --class-names a,,b",
                    "--class-names: name 2 is empty");
}

TEST_CASE("--help and --version succeed, with the exit codes in the help") {
  CHECK(run("--version").code == 0);
  CHECK(run("--version").output.starts_with("odsgd-prep "));
  CHECK(is_one_line(run("--version").output));
  for (const char* arguments : {"--help", "mnist --help"}) {
    const Result result = run(arguments);
    CHECK(result.code == 0);
    CHECK(says(result.output, "mnist"));
    CHECK(says(result.output, "Exit codes: 0 done, 1 bad data"));
  }
}
