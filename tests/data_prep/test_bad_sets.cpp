#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "idx_files.hpp"
#include "mnist.hpp"

using namespace odsgd::test;
using odsgd::prep::MnistOptions;
using odsgd::prep::pack_mnist;

namespace {

namespace fs = std::filesystem;

/// Packs a set into another directory, and checks that nothing was left there.
struct Attempt {
  TemporaryDirectory input;
  TemporaryDirectory output;
  MnistOptions options;

  explicit Attempt(const SmallSet& set = {}) {
    set.write_to(input.path());
    options.input = input.path();
    options.output = output.file("out.h5");
  }

  std::string error() const {
    std::string text = error_text([&] { pack_mnist(options); });
    CHECK(fs::is_empty(output.path()));
    CHECK(text.find('\n') == std::string::npos);
    return text;
  }
};

}  // namespace

TEST_CASE("a missing input directory, or a file in its place, is named") {
  Attempt attempt;
  attempt.options.input = attempt.input.file("no");
  CHECK(attempt.error() ==
        attempt.options.input + ": no such directory, want the one with the idx files");

  attempt.options.input = attempt.input.file("t10k-labels-idx1-ubyte");
  CHECK(attempt.error() ==
        attempt.options.input + ": is not a directory, want the one with the idx files");
}

TEST_CASE("of a missing file all names that were looked for are said") {
  const Attempt attempt;
  fs::remove(attempt.input.file("t10k-labels-idx1-ubyte"));

  CHECK(attempt.error() ==
        attempt.input.path() +
            ": got no file of the test labels, want t10k-labels-idx1-ubyte or "
            "t10k-labels-idx1-ubyte.gz or t10k-labels.idx1-ubyte or t10k-labels.idx1-ubyte.gz");
}

TEST_CASE("a fault in any of the four files names that file") {
  for (Bytes SmallSet::*file : {&SmallSet::train_images, &SmallSet::train_labels,
                                &SmallSet::test_images, &SmallSet::test_labels}) {
    SmallSet set;
    (set.*file).pop_back();
    const Attempt attempt(set);
    const std::string text = attempt.error();
    const fs::path named = text.substr(0, text.find(": "));
    CHECK(fs::exists(named));
    CHECK(read_bytes(named.string()) == set.*file);
    CHECK(says(text, "truncated"));
  }
}

TEST_CASE("swapped files of images and labels are called so") {
  SmallSet set;
  std::swap(set.train_images, set.train_labels);
  const Attempt attempt(set);

  CHECK(attempt.error() ==
        attempt.input.file("train-images-idx3-ubyte") +
            ": got labels, want images (are the files of images and labels swapped?)");
}

TEST_CASE("other numbers of images and labels are both said") {
  SmallSet set;
  set.test_labels = idx({3}, {1, 2, 3});
  const Attempt attempt(set);

  CHECK(attempt.error() == attempt.input.file("t10k-labels-idx1-ubyte") +
                               ": got 3 labels, want 2, as many as images in " +
                               attempt.input.file("t10k-images-idx3-ubyte"));
}

TEST_CASE("a label outside the classes is named with its sample and value") {
  SmallSet set;
  set.train_labels = idx({3}, {9, 0, 10});
  const Attempt ten_classes(set);
  CHECK(ten_classes.error() == ten_classes.input.file("train-labels-idx1-ubyte") +
                                   ": label of sample 2: got 10, want 0 to 9 (--class-names names "
                                   "10 classes)");

  Attempt two_classes;
  two_classes.options.class_names = {"cat", "dog"};
  CHECK(says(two_classes.error(), "label of sample 0: got 9, want 0 to 1"));
}

TEST_CASE("test images of another size than the training images are refused") {
  SmallSet set;
  set.test_images = idx({2, 2, 3}, Bytes(12));
  const Attempt attempt(set);

  CHECK(attempt.error() ==
        attempt.input.file("t10k-images-idx3-ubyte") +
            ": got test images of 2 x 3, want 2 x 2, as the training images in " +
            attempt.input.file("train-images-idx3-ubyte"));
}

TEST_CASE("training images of one gray are refused: nothing can be learnt or normalised") {
  SmallSet set;
  set.train_images = idx({3, 2, 2}, Bytes(12, 200));
  const Attempt attempt(set);

  CHECK(attempt.error() == attempt.input.file("train-images-idx3-ubyte") +
                               ": got 200 for every pixel, want images that differ");
}

TEST_CASE("a directory where no file can be made is an error that names the file") {
  Attempt attempt;
  attempt.options.output = "/proc/odsgd-test.h5";  // not even by root

  CHECK(says(attempt.error(), "/proc/odsgd-test.h5: "));
}
