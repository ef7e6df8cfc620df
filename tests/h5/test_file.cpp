#include <doctest/doctest.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"

using namespace odsgd;
using odsgd::test::error_text;
using odsgd::test::says;

namespace {

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_small(const std::string& path) {
  h5::File file = h5::File::create(path);
  file.set_attribute("names", std::vector<std::string>{"a", "b"});
  const std::vector<float> values{1, 2, 3};
  file.write("g/x", {3}, std::span(values));
  h5::Dataset grows = file.create_extendible("grows", h5::Type::kFloat, {}, 8);
  grows.append(std::span(values));
  grows.set_attribute("units", std::string("s"));
  file.close();
}

}  // namespace

TEST_CASE("the same content gives the same bytes, later too") {
  const test::TemporaryDirectory directory;
  write_small(directory.file("a.h5"));
  const std::time_t written = std::time(nullptr);
  while (std::time(nullptr) == written) {  // HDF5's times are whole seconds
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  write_small(directory.file("b.h5"));

  CHECK(read_text(directory.file("a.h5")) == read_text(directory.file("b.h5")));
}

TEST_CASE("a file is never overwritten, and a missing directory is named") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("a.h5");
  write_text(path, "precious");

  CHECK(error_text([&] { h5::File::create(path); }) ==
        path + ": exists already, want a new file (it is never overwritten)");
  CHECK(read_text(path) == "precious");
  const std::string nowhere = directory.file("no/such/a.h5");
  CHECK(error_text([&] { h5::File::create(nowhere); }) ==
        nowhere + ": cannot create: No such file or directory");
}

TEST_CASE("what is not an HDF5 file is named with its first bytes") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("a.h5");
  const auto opening = [&](const std::string& text) {
    write_text(path, text);
    return error_text([&] { h5::File::open_read(path); });
  };

  CHECK(opening("<!DOCTYPE html>\n<html>") ==
        path + ": is not an HDF5 file (it begins with \"<!DOCTYPE html>.<html>\")");
  CHECK(opening("") == path + ": is empty, want an HDF5 file");
  CHECK(error_text([&] { h5::File::open_read(directory.path()); }) ==
        directory.path() + ": is a directory, want a file");
  CHECK(error_text([&] { h5::File::open_read(directory.file("absent.h5")); }) ==
        directory.file("absent.h5") + ": cannot open: No such file or directory");
}

TEST_CASE("a truncated file is an error, not a crash") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("a.h5");
  write_small(path);
  const std::string whole = read_text(path);
  write_text(path, whole.substr(0, whole.size() / 2));

  const std::string text = error_text([&] { h5::File::open_read(path); });

  CHECK(says(text, path + ": cannot open the HDF5 file: truncated file"));
}

TEST_CASE("missing members are named with their file and path") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("a.h5");
  write_small(path);
  const h5::File file = h5::File::open_read(path);

  CHECK(error_text([&] { file.dataset("train/images"); }) ==
        path + ": /train/images: there is no such data set");
  CHECK(error_text([&] { file.group("g").group("h"); }) == path + ": /g/h: there is no such group");
  CHECK(error_text([&] { file.group("g").dataset("x").attribute("u"); }) ==
        path + ": /g/x: has no attribute 'u'");
  CHECK(says(error_text([&] { file.dataset("g"); }), path + ": /g: cannot open the data set: "));
  CHECK(file.has("g/x"));
  CHECK_FALSE(file.has("g/y"));
  CHECK_FALSE(file.has("y/x"));
  CHECK(file.names() == std::vector<std::string>{"g", "grows"});
}

TEST_CASE("names are taken once") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("a.h5");
  h5::File file = h5::File::create(path);
  file.create_group("g");

  CHECK(error_text([&] { file.create_group("g"); }) == path + ": /g: exists already");
  CHECK(error_text([&] { file.create_dataset("g", h5::Type::kFloat, {1}); }) ==
        path + ": /g: exists already");
}

TEST_CASE("a file opened for reading is not written") {
  const test::TemporaryDirectory directory;
  write_small(directory.file("a.h5"));
  h5::File file = h5::File::open_read(directory.file("a.h5"));

  CHECK(says(error_text([&] { file.create_group("new"); }), "/new: cannot create the group: "));
}

TEST_CASE("objects may outlive the file, and a second close does nothing") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  h5::Dataset dataset = file.create_extendible("x", h5::Type::kFloat, {}, 8);

  file.close();
  file.close();

  CHECK(says(error_text([&] { dataset.shape(); }), "/x: cannot get the data space: "));
}

TEST_CASE("HDF5's own error text is not printed") {
  const test::TemporaryDirectory directory;
  const std::string printed = directory.file("stderr");
  const int saved = dup(STDERR_FILENO);
  std::FILE* capture = std::fopen(printed.c_str(), "w");
  REQUIRE(capture != nullptr);
  dup2(fileno(capture), STDERR_FILENO);
  write_small(directory.file("a.h5"));
  const h5::File file = h5::File::open_read(directory.file("a.h5"));
  error_text([&] { file.dataset("g"); });
  error_text([&] { h5::File::create(directory.file("no/such/a.h5")); });
  dup2(saved, STDERR_FILENO);
  close(saved);
  std::fclose(capture);

  CHECK(read_text(printed).empty());
}

TEST_CASE("threads may use files at the same time") {
  const test::TemporaryDirectory directory;
  std::vector<std::string> errors(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < errors.size(); ++t) {
      threads.emplace_back([&, t] {
        errors[t] = error_text([&] {
          const std::string path = directory.file(std::to_string(t) + ".h5");
          h5::File file = h5::File::create(path);
          h5::Dataset dataset = file.create_extendible("x", h5::Type::kInt64, {}, 16);
          for (std::int64_t i = 0; i < 2000; ++i) {
            dataset.append(std::span<const std::int64_t>(&i, 1));
            error_text([&] { file.dataset("absent"); });
          }
          file.close();
          ODSGD_REQUIRE(h5::File::open_read(path).dataset("x").rows() == 2000, "rows are missing");
        });
      });
    }
  }

  CHECK(errors == std::vector<std::string>(4, "no error"));
}
