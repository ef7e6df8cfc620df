#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"

using namespace odsgd;
using odsgd::test::error_text;
using odsgd::test::says;

namespace {

/// A file system of 256 KiB; mounting one needs root.
class SmallDisk {
 public:
  SmallDisk()
      : is_mounted_(mount("tmpfs", directory_.path().c_str(), "tmpfs", 0, "size=256k") == 0) {}
  ~SmallDisk() {
    if (is_mounted_) umount2(directory_.path().c_str(), MNT_DETACH);
  }
  explicit operator bool() const { return is_mounted_; }
  std::string file(const std::string& name) const { return directory_.file(name); }

 private:
  test::TemporaryDirectory directory_;
  bool is_mounted_;
};

}  // namespace

TEST_CASE("a full disk is an error of write or close, and the process ends in order") {
  const SmallDisk disk;
  if (!disk) {
    MESSAGE("cannot mount a small file system (needs root): a full disk is not tested");
    return;
  }
  // In a process of its own: HDF5 must also come through its clean-up at exit.
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    const std::string text = error_text([&] {
      h5::File file = h5::File::create(disk.file("a.h5"));
      h5::Dataset dataset = file.create_extendible("x", h5::Type::kDouble, {}, 256);
      const std::vector<double> rows(256, 1.5);
      for (int i = 0; i < 1000; ++i) dataset.append(std::span(rows));
      file.close();
    });
    [[maybe_unused]] const auto written = write(ends[1], text.data(), text.size());
    std::exit(0);
  }
  close(ends[1]);
  std::string printed;
  for (char c = 0; read(ends[0], &c, 1) == 1;) printed += c;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);

  CHECK(status == 0);
  CHECK(says(printed, disk.file("a.h5") + ": "));
  CHECK(says(printed, "No space left on device"));
  CHECK(printed.find('\n') == std::string::npos);
}
