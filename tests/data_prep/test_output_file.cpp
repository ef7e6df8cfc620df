#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "idx_files.hpp"
#include "mnist.hpp"
#include "output_file.hpp"

using namespace odsgd::test;
using odsgd::prep::check_output;
using odsgd::prep::Existing;
using odsgd::prep::OutputFile;

namespace {

namespace fs = std::filesystem;

std::string check_error(const std::string& path, Existing existing = Existing::kKeep) {
  return error_text([&] { check_output(path, existing); });
}

/// Runs `body` in a process of its own; returns its status as waitpid() tells it.
int status_of(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      std::signal(signal, SIG_DFL);  // not doctest's
    try {
      body();
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a committed file has its name and content, and nothing else is left") {
  const TemporaryDirectory directory;
  OutputFile output(directory.file("a.h5"), Existing::kKeep);
  write_bytes(output.temporary_path(), {1, 2});
  CHECK(!fs::exists(output.path()));

  output.commit();

  CHECK(read_bytes(directory.file("a.h5")) == Bytes{1, 2});
  CHECK(!fs::exists(output.temporary_path()));
}

TEST_CASE("without commit the temporary goes, and what was there stays") {
  const TemporaryDirectory directory;
  write_bytes(directory.file("a.h5"), {7});
  {
    const OutputFile output(directory.file("a.h5"), Existing::kReplace);
    write_bytes(output.temporary_path(), {1, 2});
  }

  CHECK(read_bytes(directory.file("a.h5")) == Bytes{7});
  CHECK(std::distance(fs::directory_iterator(directory.path()), {}) == 1);
}

TEST_CASE("commit replaces an existing file only when told so, even one that came meanwhile") {
  const TemporaryDirectory directory;
  {
    OutputFile output(directory.file("a.h5"), Existing::kKeep);
    write_bytes(output.temporary_path(), {1, 2});
    write_bytes(output.path(), {7});
    CHECK(error_text([&] { output.commit(); }) ==
          output.path() + ": exists already, want a new file (--force replaces it)");
  }
  CHECK(read_bytes(directory.file("a.h5")) == Bytes{7});
  CHECK(std::distance(fs::directory_iterator(directory.path()), {}) == 1);

  OutputFile output(directory.file("a.h5"), Existing::kReplace);
  write_bytes(output.temporary_path(), {1, 2});
  output.commit();
  CHECK(read_bytes(directory.file("a.h5")) == Bytes{1, 2});
}

TEST_CASE("an output that cannot be written is refused with its reason") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("file");
  write_bytes(file, {1});
  CHECK(check_error(directory.file("a.h5")) == "no error");
  CHECK(check_error(file, Existing::kReplace) == "no error");

  CHECK(check_error(file) == file + ": exists already, want a new file (--force replaces it)");
  CHECK(check_error(directory.path(), Existing::kReplace) ==
        directory.path() + ": names a directory, want a file (e.g. " + directory.file("data.h5") +
            ")");
  CHECK(says(check_error(directory.file("new/")), "names a directory"));
  CHECK(check_error(directory.file("no/a.h5")) == directory.file("no/a.h5") + ": directory " +
                                                      directory.file("no") +
                                                      " is missing (create it first)");
  CHECK(check_error(file + "/a.h5") == file + "/a.h5: " + file + " is not a directory");
  CHECK(check_error("/dev/null", Existing::kReplace) ==
        "/dev/null: is not a regular file (--force replaces only such)");
}

TEST_CASE("a dangling symbolic link counts as existing") {
  const TemporaryDirectory directory;
  fs::create_symlink(directory.file("nowhere"), directory.file("a.h5"));

  CHECK(says(check_error(directory.file("a.h5")), "exists already"));
  CHECK(says(check_error(directory.file("a.h5"), Existing::kReplace), "is not a regular file"));
}

TEST_CASE("a directory without write permission is refused") {
  if (geteuid() == 0) {
    MESSAGE("root may write everywhere: not tested");
    return;
  }
  const TemporaryDirectory directory;
  fs::permissions(directory.path(), fs::perms::owner_read | fs::perms::owner_exec);

  CHECK(check_error(directory.file("a.h5")) ==
        directory.file("a.h5") + ": cannot write in " + directory.path() + ": Permission denied");
  fs::permissions(directory.path(), fs::perms::owner_all);
}

TEST_CASE("SIGINT, SIGTERM or SIGHUP before commit end the process and leave nothing") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const TemporaryDirectory directory;

    const int status = status_of([&] {
      OutputFile output(directory.file("a.h5"), Existing::kKeep);
      write_bytes(output.temporary_path(), {1, 2});
      std::raise(signal);
      output.commit();
    });

    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(fs::is_empty(directory.path()));
  }
}

TEST_CASE("a signal is seen by throw_if_stopped") {
  const TemporaryDirectory directory;

  const int status = status_of([&] {
    OutputFile output(directory.file("a.h5"), Existing::kKeep);
    output.throw_if_stopped();
    write_bytes(output.temporary_path(), {1, 2});
    std::raise(SIGTERM);
    const std::string text = error_text([&] { output.throw_if_stopped(); });
    if (text != "stopped by signal 15 (Terminated)") _exit(3);
  });

  CHECK(WIFSIGNALED(status));
  CHECK(fs::is_empty(directory.path()));
}

TEST_CASE("a signal that the process ignores does not stop it") {
  const TemporaryDirectory directory;

  const int status = status_of([&] {
    std::signal(SIGHUP, SIG_IGN);
    OutputFile output(directory.file("a.h5"), Existing::kKeep);
    write_bytes(output.temporary_path(), {1, 2});
    std::raise(SIGHUP);
    output.commit();
  });

  CHECK(status == 0);
  CHECK(fs::exists(directory.file("a.h5")));
}

TEST_CASE("when the file cannot grow, packing fails and leaves nothing") {
  const TemporaryDirectory input;
  const TemporaryDirectory directory;
  SmallSet set;
  set.train_images = idx({3, 500, 500}, Bytes(750000, 1));
  set.train_images.back() = 2;
  set.test_images = idx({2, 500, 500}, Bytes(500000, 1));
  set.write_to(input.path());

  const int status = status_of([&] {
    // Writing beyond the limit then fails with EFBIG, as it does with ENOSPC on a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    setrlimit(RLIMIT_FSIZE, &limit);
    odsgd::prep::MnistOptions options;
    options.input = input.path();
    options.output = directory.file("a.h5");
    const std::string text = error_text([&] { pack_mnist(options); });
    const bool is_as_wanted = text.starts_with(options.output + ": was not written: ") &&
                              says(text, "File too large") && !says(text, "\n");
    _exit(is_as_wanted ? 0 : 3);
  });

  CHECK(status == 0);
  CHECK(fs::is_empty(directory.path()));
}
