#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "h5/temporary_directory.hpp"
#include "mnist.hpp"
#include "odsgd/data/dataset.hpp"

using namespace odsgd;
using odsgd::test::TemporaryDirectory;

namespace {

using Histogram = std::vector<std::size_t>;

bool is_there(const std::string& directory) {
  return !directory.empty() && std::filesystem::exists(directory + "/train-images-idx3-ubyte.gz");
}

Dataset pack(const std::string& input, const TemporaryDirectory& directory) {
  prep::MnistOptions options;
  options.input = input;
  options.output = directory.file("data.h5");
  prep::pack_mnist(options);
  return Dataset::load(options.output);
}

}  // namespace

// Numbers: of the published sets, by numpy over the unpacked files.
TEST_CASE("MNIST is packed with its known counts, mean, std and label histogram") {
  if (!is_there(ODSGD_MNIST)) {
    MESSAGE("no MNIST in " ODSGD_MNIST ": not tested");
    return;
  }
  const TemporaryDirectory directory;

  const Dataset data = pack(ODSGD_MNIST, directory);

  CHECK(data.info().train_count == 60000);
  CHECK(data.info().test_count == 10000);
  CHECK(data.info().height == 28);
  CHECK(data.info().width == 28);
  CHECK(data.info().mean[0] == doctest::Approx(0.130660).epsilon(1e-5));
  CHECK(data.info().std[0] == doctest::Approx(0.308108).epsilon(1e-5));
  CHECK(label_histogram(data.train(), 10) ==
        Histogram{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949});
  CHECK(label_histogram(data.test(), 10) ==
        Histogram{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009});
  CHECK(data.train().labels[0] == 5);
  CHECK(data.info().sources[0].second ==
        "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609");
}

TEST_CASE("Fashion-MNIST is packed with its known counts, mean, std and label histogram") {
  if (!is_there(ODSGD_FASHION_MNIST)) {
    MESSAGE("no Fashion-MNIST (Debian: dataset-fashion-mnist): not tested");
    return;
  }
  const TemporaryDirectory directory;

  const Dataset data = pack(ODSGD_FASHION_MNIST, directory);

  CHECK(data.info().train_count == 60000);
  CHECK(data.info().test_count == 10000);
  CHECK(data.info().mean[0] == doctest::Approx(0.286041).epsilon(1e-5));
  CHECK(data.info().std[0] == doctest::Approx(0.353024).epsilon(1e-5));
  CHECK(label_histogram(data.train(), 10) == Histogram(10, 6000));
  CHECK(label_histogram(data.test(), 10) == Histogram(10, 1000));
  CHECK(data.train().labels[0] == 9);
}
