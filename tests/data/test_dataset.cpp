#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "h5/temporary_directory.hpp"
#include "odsgd/data/dataset.hpp"
#include "small_file.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

template <class T>
std::vector<T> values(std::span<const T> span) {
  return {span.begin(), span.end()};
}

void check_info(const DatasetInfo& info, const std::string& path) {
  using Names = std::vector<std::string>;
  using Sources = std::vector<std::pair<std::string, std::string>>;
  CHECK(info.path == path);
  CHECK(info.name == "small");
  CHECK(info.created_by == "a test");
  CHECK(info.channels == 2);
  CHECK(info.height == 1);
  CHECK(info.width == 3);
  CHECK(info.image_size() == 6);
  CHECK(info.train_count == 5);
  CHECK(info.test_count == 3);
  CHECK(info.classes() == 3);
  CHECK(info.class_names == Names{"cat", "dog", "emu"});
  CHECK(info.mean == std::vector<float>{0.5F, 0.25F});
  CHECK(info.std == std::vector<float>{0.25F, 0.5F});
  CHECK(info.sources == Sources{{"a", "0a"}, {"b", "0b"}});
  CHECK(info.train_sha256 == "1a");
  CHECK(info.test_sha256 == "1b");
}

}  // namespace

TEST_CASE("a data file comes into memory as it is written") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("small.h5");
  const SmallFile file;
  file.write(path);

  const Dataset data = Dataset::load(path);

  check_info(data.info(), path);
  CHECK(data.train().count == 5);
  CHECK(values(data.train().images) == file.train.images);
  CHECK(values(data.train().labels) == file.train.labels);
  CHECK(data.train().sha256 == "1a");
  CHECK(data.test().count == 3);
  CHECK(values(data.test().images) == file.test.images);
  CHECK(values(data.test().labels) == file.test.labels);
  CHECK(data.test().sha256 == "1b");
}

TEST_CASE("what a file says of itself is read without its samples") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("small.h5");
  SmallFile file;
  file.train.labels[2] = 99;  // not looked at
  file.write(path);

  check_info(read_dataset_info(path), path);
}

TEST_CASE("name, writer and sources may be missing") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("small.h5");
  SmallFile file;
  for (const char* name : {"name", "created_by", "source_files", "source_sha256"}) {
    file.attributes.erase(name);
  }
  file.write(path);

  const Dataset data = Dataset::load(path);

  CHECK(data.info().name.empty());
  CHECK(data.info().created_by.empty());
  CHECK(data.info().sources.empty());
}

TEST_CASE("a data set moved elsewhere keeps its samples") {
  const TemporaryDirectory directory;
  const SmallFile file;
  file.write(directory.file("small.h5"));
  Dataset first = Dataset::load(directory.file("small.h5"));

  const Dataset second = std::move(first);

  CHECK(values(second.train().images) == file.train.images);
  CHECK(values(second.test().labels) == file.test.labels);
}

TEST_CASE("the histogram counts the labels of one split, classes without samples too") {
  const TemporaryDirectory directory;
  SmallFile().write(directory.file("small.h5"));

  const Dataset data = Dataset::load(directory.file("small.h5"));

  CHECK(label_histogram(data.train(), 3) == std::vector<std::size_t>{1, 1, 3});
  CHECK(label_histogram(data.test(), 3) == std::vector<std::size_t>{1, 2, 0});
}
