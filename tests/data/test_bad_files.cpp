#include <doctest/doctest.h>

#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/data/dataset.hpp"
#include "small_file.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// What loading the file says, without the file's name in front.
std::string loading(const SmallFile& file) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("small.h5");
  file.write(path);
  const std::string text = error_text([&] { Dataset::load(path); });
  CHECK(text.find('\n') == std::string::npos);
  return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text;
}

std::string loading_with(const std::string& attribute, const h5::Attribute& value) {
  SmallFile file;
  file.attributes[attribute] = value;
  return loading(file);
}

std::string loading_without(const std::string& attribute) {
  SmallFile file;
  file.attributes.erase(attribute);
  return loading(file);
}

/// Another array in the place of one that the file has.
template <class T>
std::string loading_with_array(const std::string& path, const h5::Shape& shape) {
  SmallFile file;
  (path == "train/images" ? file.train.images_name : file.test.labels_name).clear();
  file.add = [&](h5::File& out) {
    const std::vector<T> zeros(h5::count_of(shape));
    out.write(path, shape, std::span(zeros));
  };
  return loading(file);
}

}  // namespace

TEST_CASE("files that are not HDF5, or not there, are named") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("page.h5");
  std::ofstream(path) << "<!DOCTYPE html>";

  CHECK(error_text([&] { Dataset::load(path); }) ==
        path + ": is not an HDF5 file (it begins with \"<!DOCTYPE html>\")");
  CHECK(error_text([&] { Dataset::load(directory.file("no.h5")); }) ==
        directory.file("no.h5") + ": cannot open: No such file or directory");
}

TEST_CASE("HDF5 files of others, of other versions and layouts are refused") {
  const std::string other =
      "is not a data file of odsgd-prep (it lacks the attribute format = odsgd-data)";
  CHECK(loading_without("format") == other);
  CHECK(loading_with("format", std::string("odsgd-run")) == other);
  CHECK(loading_with("format_version", std::int64_t{2}) ==
        "has format version 2, want 1 (pack the data again with this odsgd-prep)");
  CHECK(loading_without("format_version") == "has no attribute 'format_version'");
  CHECK(loading_with("layout", std::string("NHWC")) == "has layout NHWC, want NCHW");
}

TEST_CASE("a missing data set is named") {
  SmallFile file;
  file.train.images_name = "pictures";
  CHECK(loading(file) == "/train/images: there is no such data set");

  SmallFile other;
  other.test.labels_name.clear();
  CHECK(loading(other) == "/test/labels: there is no such data set");
}

TEST_CASE("images need 4 dimensions, and labels 1 of the same length") {
  CHECK(loading_with_array<std::uint8_t>("train/images", {5, 1, 3}) ==
        "/train/images has 3 dimensions, want 4 (N, C, H, W); was it written by odsgd-prep?");
  CHECK(loading_with_array<std::int32_t>("test/labels", {3, 1}) ==
        "/test/labels has shape (3, 1), want (3), a label for each image");
  CHECK(loading_with_array<std::int32_t>("test/labels", {4}) ==
        "/test/labels has shape (4), want (3), a label for each image");
}

TEST_CASE("values of another type are not taken for pixels or labels") {
  CHECK(loading_with_array<float>("train/images", {5, 2, 1, 3}) ==
        "/train/images: holds 32-bit float values, want 8-bit unsigned integer");
  CHECK(loading_with_array<std::int32_t>("train/images", {5, 2, 1, 3}) ==
        "/train/images: holds 32-bit integer values, want 8-bit unsigned integer");
  CHECK(loading_with_array<float>("test/labels", {3}) ==
        "/test/labels: holds 32-bit float values, want 32-bit integer");
  CHECK(loading_with_array<std::int64_t>("test/labels", {3}) ==
        "/test/labels: holds 64-bit integer values, want 32-bit integer");
}

TEST_CASE("images of another size in the test part are refused") {
  SmallFile file;
  file.test.images_shape = {3, 2, 3, 1};

  CHECK(loading(file) == "/train/images has shape (5, 2, 1, 3), and /test/images (3, 2, 3, 1)");
}

TEST_CASE("parts without samples and images without pixels are refused") {
  SmallFile empty;
  empty.test = {.images_shape = {0, 2, 1, 3}, .images = {}, .labels_shape = {0}, .labels = {}};
  CHECK(loading(empty) == "/test/images has no samples");

  SmallFile flat;
  flat.train.images_shape = {5, 2, 0, 3};
  flat.train.images.clear();
  CHECK(loading(flat) == "/train/images has shape (5, 2, 0, 3), want extents of 1 to 65536");
}

TEST_CASE("shapes beyond all reason are refused before memory is asked for") {
  const auto loading_shape = [](const h5::Shape& shape) {
    SmallFile file;
    file.train.images_name.clear();
    file.train.labels_name.clear();
    file.add = [&](h5::File& out) {  // without values these take no room
      out.create_dataset("train/images", h5::Type::kUint8, shape);
      out.create_dataset("train/labels", h5::Type::kInt32, {shape[0]});
    };
    return loading(file);
  };

  CHECK(loading_shape({1, 65537, 1, 1}) ==
        "/train/images has shape (1, 65537, 1, 1), want extents of 1 to 65536");
  CHECK(loading_shape({1, 65536, 256, 128}) ==
        "/train/images has shape (1, 65536, 256, 128), want at most 4294967295 images of less than "
        "2147483648 bytes");
  CHECK(loading_shape({4294967296, 1, 1, 1}) ==
        "/train/images has shape (4294967296, 1, 1, 1), want at most 4294967295 images of less "
        "than 2147483648 bytes");
}

TEST_CASE("a label outside the classes is named with its place and the range") {
  SmallFile above;
  above.train.labels[3] = 3;
  CHECK(loading(above) == "/train/labels: label 3 is 3, want 0 to 2");

  SmallFile below;
  below.test.labels[1] = -1;
  CHECK(loading(below) == "/test/labels: label 1 is -1, want 0 to 2");
}

TEST_CASE("mean and std need one usable number a channel") {
  using Numbers = std::vector<double>;
  CHECK(loading_without("mean") == "has no attribute 'mean'");
  CHECK(loading_with("mean", Numbers{0.5}) ==
        "attribute mean holds 1 values, want 2, one a channel");
  CHECK(loading_with("std", Numbers{0.5, 0.5, 0.5}) ==
        "attribute std holds 3 values, want 2, one a channel");
  CHECK(loading_with("std", Numbers{0.5, 0}) == "attribute std: got 0, want a positive number");
  CHECK(loading_with("std", Numbers{-0.5, 1}) == "attribute std: got -0.5, want a positive number");
  CHECK(loading_with("mean", Numbers{0, std::numeric_limits<double>::quiet_NaN()}) ==
        "attribute mean: got nan, want a finite number");
  CHECK(loading_with("std", Numbers{1, std::numeric_limits<double>::infinity()}) ==
        "attribute std: got inf, want a positive number");
  CHECK(says(loading_with("mean", std::string("0.5")), "want a list of numbers"));
}

TEST_CASE("mean and std must be numbers in single precision too") {
  using Numbers = std::vector<double>;
  CHECK(loading_with("std", Numbers{1e-50, 1}) ==
        "attribute std: got 1e-50, want a positive number");
  CHECK(loading_with("mean", Numbers{-1e50, 0}) ==
        "attribute mean: got -1e+50, want a finite number");
}

TEST_CASE("classes and sources that do not add up are refused") {
  using Names = std::vector<std::string>;
  CHECK(loading_without("class_names") == "has no attribute 'class_names'");
  CHECK(says(loading_with("class_names", std::int64_t{3}), "want a list of strings"));
  CHECK(loading_with("class_names", Names{}) ==
        "attribute class_names is empty, want at least 1 name");
  CHECK(loading_with("source_sha256", Names{"0a"}) == "has 2 source_files and 1 source_sha256");
}
