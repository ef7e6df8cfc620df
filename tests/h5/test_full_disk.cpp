#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"

using namespace odsgd;
using odsgd::test::error_text;

namespace {

constexpr int kCannotMount = 77;

struct ChildResult {
  int status = 0;
  std::string printed;
};

/// Runs `body` in a process of its own, in which `directory` is a disk of 256 KiB; collects what it
/// prints to stderr. In a process of its own since HDF5 must also come through its end.
ChildResult run_on_small_disk(const std::string& directory, const std::function<void()>& body) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);  // or the child prints what waits in buffers once more
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    // The mount is seen by this process alone, and goes with it.
    if (unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", directory.c_str(), "tmpfs", 0, "size=256k") != 0) {
      _exit(kCannotMount);
    }
    body();
    std::exit(0);
  }
  close(ends[1]);
  ChildResult result;
  for (char c = 0; read(ends[0], &c, 1) == 1;) result.printed += c;
  close(ends[0]);
  waitpid(child, &result.status, 0);
  return result;
}

/// Writes that many pieces of 2 KiB, and prints the text of the Error. Then a file on another disk
/// must work as ever.
void write_pieces(const std::string& path, int pieces, bool flushes, const std::string& other) {
  const std::string text = error_text([&] {
    h5::File file = h5::File::create(path);
    h5::Dataset dataset = file.create_extendible("x", h5::Type::kDouble, {}, 256);
    const std::vector<double> rows(256, 1.5);
    for (int i = 0; i < pieces; ++i) {
      dataset.append(std::span(rows));
      if (flushes) file.flush();
    }
    file.close();
  });
  {
    h5::File file = h5::File::create(other);
    h5::Dataset dataset = file.create_dataset("x", h5::Type::kDouble, {2});
    file.close();
  }
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

TEST_CASE("a full disk is an error of append, flush or close, and the process ends in order") {
  const test::TemporaryDirectory directory;
  const test::TemporaryDirectory other_disk;
  const std::string path = directory.file("a.h5");
  struct Way {
    int pieces;
    bool flushes;
    std::string text;
  };
  for (const Way& way : {Way{1000, false, ": /x: cannot write rows: No space left on device"},
                         Way{1000, true, ": cannot write to the file: No space left on device"},
                         Way{126, false, ": cannot write to the file: No space left on device"}}) {
    CAPTURE(way.pieces);
    CAPTURE(way.flushes);
    const ChildResult result = run_on_small_disk(directory.path(), [&] {
      write_pieces(path, way.pieces, way.flushes,
                   other_disk.file(std::to_string(way.pieces) + (way.flushes ? "f" : "")));
    });
    if (result.status == W_EXITCODE(kCannotMount, 0)) {
      MESSAGE("cannot mount a small file system here: a full disk is not tested");
      return;
    }
    CHECK(result.status == 0);
    CHECK(result.printed == path + way.text);
  }
}

TEST_CASE("room that the disk does not have is refused before anything is written") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("a.h5");

  const ChildResult result = run_on_small_disk(directory.path(), [&] {
    h5::File file = h5::File::create(path);
    h5::Dataset dataset = file.create_extendible("x", h5::Type::kDouble, {}, 256);
    const std::vector<double> rows(256, 1.5);
    std::string text = error_text([&] {
      for (;;) {
        file.reserve(100'000);
        dataset.append(std::span(rows));
        file.flush();
      }
    });
    const std::uint64_t written = dataset.rows();
    file.set_attribute("status", text);
    file.close();
    const h5::File again = h5::File::open_read(path);
    const std::vector<double> read = again.dataset("x").read<double>();
    const bool is_whole = read.size() == written && written > 256 && read.back() == 1.5;
    text += is_whole ? ", all is there" : ", something is lost";
    [[maybe_unused]] const auto printed = write(STDERR_FILENO, text.data(), text.size());
  });

  if (result.status == W_EXITCODE(kCannotMount, 0)) return;
  CHECK(result.status == 0);
  CHECK(result.printed ==
        path + ": cannot grow by 100000 bytes: No space left on device, all is there");
}
