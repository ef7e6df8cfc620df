#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "idx_files.hpp"
#include "mnist.hpp"
#include "odsgd/base/sha256.hpp"
#include "odsgd/data/dataset.hpp"
#include "odsgd/h5/file.hpp"

using namespace odsgd;
using namespace odsgd::test;
using odsgd::prep::Existing;
using odsgd::prep::MnistOptions;
using odsgd::prep::pack_mnist;

namespace {

namespace fs = std::filesystem;

MnistOptions options_in(const TemporaryDirectory& directory) {
  MnistOptions options;
  options.input = directory.path();
  options.output = directory.file("out.h5");
  return options;
}

std::string sha256(const Bytes& bytes) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(bytes)));
  return hash.finish();
}

}  // namespace

TEST_CASE("a packed set has the data sets and attributes of docs/file-formats.md") {
  const TemporaryDirectory directory;
  const SmallSet set;
  set.write_to(directory.path());
  pack_mnist(options_in(directory));

  const h5::File file = h5::File::open_read(directory.file("out.h5"));

  using Names = std::vector<std::string>;
  CHECK(file.names() == Names{"test", "train"});
  CHECK(file.dataset("train/images").shape() == h5::Shape{3, 1, 2, 2});
  CHECK(file.dataset("train/images").stored_type() == "8-bit unsigned integer");
  CHECK(file.dataset("train/images").read<std::uint8_t>() ==
        Bytes{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 255});
  CHECK(file.dataset("train/labels").shape() == h5::Shape{3});
  CHECK(file.dataset("train/labels").stored_type() == "32-bit integer");
  CHECK(file.dataset("train/labels").read<std::int32_t>() == std::vector<std::int32_t>{9, 0, 4});
  CHECK(file.dataset("test/images").shape() == h5::Shape{2, 1, 2, 2});
  CHECK(file.dataset("test/images").read<std::uint8_t>() == Bytes{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(file.dataset("test/labels").read<std::int32_t>() == std::vector<std::int32_t>{1, 7});

  CHECK(file.attribute_names() == Names{"class_names", "created_by", "format", "format_version",
                                        "layout", "mean", "name", "source_files", "source_sha256",
                                        "std"});
  CHECK(file.attribute_as<std::string>("format") == "odsgd-data");
  CHECK(file.attribute_as<std::int64_t>("format_version") == 1);
  CHECK(file.attribute_as<std::string>("layout") == "NCHW");
  CHECK(file.attribute_as<std::string>("name") == "mnist");
  CHECK(file.attribute_as<Names>("class_names") ==
        Names{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  CHECK(file.attribute_as<std::string>("created_by").starts_with("odsgd-prep "));
  CHECK(file.attribute_as<Names>("source_files") ==
        Names{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
              "t10k-labels-idx1-ubyte"});
  CHECK(file.attribute_as<Names>("source_sha256") ==
        Names{sha256(set.train_images), sha256(set.train_labels), sha256(set.test_images),
              sha256(set.test_labels)});
  // Of 1 byte a pixel and then 4 bytes a label, the lowest first.
  CHECK(file.group("test").attribute_as<std::string>("sha256") ==
        sha256({1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 0, 0, 7, 0, 0, 0}));
  CHECK(file.group("train").attribute_as<std::string>("sha256") ==
        sha256(
            {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 255, 9, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0}));
}

TEST_CASE("mean and std are of the training pixels alone, in 255ths, over all of them") {
  const TemporaryDirectory directory;
  SmallSet().write_to(directory.path());

  const auto summary = pack_mnist(options_in(directory));

  double sum = 0;
  double squares = 0;
  for (const int x : {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 255}) {
    sum += x / 255.0;
    squares += x / 255.0 * x / 255.0;
  }
  const double mean = sum / 12;
  const double deviation = std::sqrt(squares / 12 - mean * mean);
  const h5::File file = h5::File::open_read(directory.file("out.h5"));
  CHECK(file.attribute_as<std::vector<double>>("mean")[0] == doctest::Approx(mean).epsilon(1e-12));
  CHECK(file.attribute_as<std::vector<double>>("std")[0] ==
        doctest::Approx(deviation).epsilon(1e-12));
  CHECK(summary.mean == doctest::Approx(mean).epsilon(1e-12));
  CHECK(summary.std == doctest::Approx(deviation).epsilon(1e-12));
  CHECK(summary.train_count == 3);
  CHECK(summary.test_count == 2);
}

TEST_CASE("images that are written in several pieces come in order") {
  constexpr std::uint32_t kSide = 3000;  // 9 MB an image, and pieces are of 16 MiB
  Bytes pixels(3UL * kSide * kSide);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i % 251);
  const TemporaryDirectory directory;
  SmallSet set;
  set.train_images = idx({3, kSide, kSide}, pixels);
  set.test_images = idx({2, kSide, kSide}, Bytes(2UL * kSide * kSide));
  set.write_to(directory.path());

  pack_mnist(options_in(directory));

  const h5::File file = h5::File::open_read(directory.file("out.h5"));
  CHECK((file.dataset("train/images").read<std::uint8_t>() == pixels));
}

TEST_CASE("the reader takes what was packed, with name and class names as given") {
  const TemporaryDirectory directory;
  SmallSet().write_to(directory.path());
  MnistOptions options = options_in(directory);
  options.name = "letters";
  options.class_names = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "Ankle boot"};
  pack_mnist(options);

  const Dataset data = Dataset::load(options.output);

  CHECK(data.info().name == "letters");
  CHECK(data.info().class_names == options.class_names);
  CHECK(data.info().train_count == 3);
  CHECK(data.test().labels[1] == 7);
  CHECK(data.test().images[7] == 8);
  CHECK(data.info().sources.size() == 4);
}

TEST_CASE("names with a dot, gzipped files, and plain files called .gz are found and read") {
  const TemporaryDirectory directory;
  const SmallSet set;
  write_bytes(directory.file("train-images.idx3-ubyte"), set.train_images);
  write_bytes(directory.file("train-labels.idx1-ubyte.gz"), gzip(set.train_labels));
  write_bytes(directory.file("t10k-images-idx3-ubyte.gz"), set.test_images);
  write_bytes(directory.file("t10k-labels-idx1-ubyte"), gzip(set.test_labels));
  fs::create_directory(directory.file("train-images-idx3-ubyte"));  // as some archives unpack

  pack_mnist(options_in(directory));

  CHECK(Dataset::load(directory.file("out.h5")).train().labels[0] == 9);
}

TEST_CASE("packing twice gives the same bytes, also over an existing file") {
  const TemporaryDirectory directory;
  SmallSet().write_to(directory.path());
  MnistOptions options = options_in(directory);
  pack_mnist(options);
  const Bytes first = read_bytes(options.output);

  options.existing = Existing::kReplace;
  pack_mnist(options);
  const Bytes second = read_bytes(options.output);
  options.output = directory.file("other.h5");
  pack_mnist(options);

  CHECK(first == second);
  CHECK(first == read_bytes(options.output));
}

TEST_CASE("an existing file is kept without --force, and an input file always") {
  const TemporaryDirectory directory;
  const SmallSet set;
  set.write_to(directory.path());
  MnistOptions options = options_in(directory);
  write_bytes(options.output, {1, 2, 3});
  const auto error = [&] { return error_text([&] { pack_mnist(options); }); };

  CHECK(error() == options.output + ": exists already, want a new file (--force replaces it)");
  CHECK(read_bytes(options.output) == Bytes{1, 2, 3});

  options.existing = Existing::kReplace;
  options.output = directory.file("t10k-labels-idx1-ubyte");
  CHECK(error() == options.output + ": is an input file, want another name for the output");
  CHECK(read_bytes(options.output) == set.test_labels);
}
