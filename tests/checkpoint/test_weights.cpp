#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/checkpoint/weights.hpp"
#include "odsgd/h5/file.hpp"

using namespace odsgd;
using odsgd::test::error_text;

namespace {

ParameterLayout small_layout() {
  ParameterLayout layout;
  layout.add("conv_weight", {2, 1, 2, 2}, true);
  layout.add("conv_bias", {2}, false);
  layout.add("fc_weight", {3, 2}, true);
  return layout;
}

const std::vector<float> kWeights{0.1F,
                                  -0.0F,
                                  std::numeric_limits<float>::denorm_min(),
                                  std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN(),
                                  5,
                                  6,
                                  7,
                                  8,
                                  9,
                                  10,
                                  11,
                                  12,
                                  13,
                                  14,
                                  15};

void write_file(const std::string& path, const ParameterLayout& layout) {
  h5::File file = h5::File::create(path);
  write_weights(file, layout, std::span(kWeights).first(layout.floats()), 4690);
  file.close();
}

std::string reading_error(const std::string& path, const ParameterLayout& layout) {
  std::vector<float> weights(layout.floats());
  return error_text([&] { read_weights(path, layout, weights); });
}

}  // namespace

TEST_CASE("weights come back bit for bit, with their clock") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  write_file(path, small_layout());

  std::vector<float> weights(16);
  const Clock clock = read_weights(path, small_layout(), weights);

  CHECK(clock == 4690);
  CHECK(std::memcmp(weights.data(), kWeights.data(), 16 * sizeof(float)) == 0);
}

TEST_CASE("weights lie under their key's name and in its shape") {
  const test::TemporaryDirectory directory;
  write_file(directory.file("run.h5"), small_layout());

  const h5::File file = h5::File::open_read(directory.file("run.h5"));

  CHECK(file.dataset("weights/conv_weight").shape() == h5::Shape{2, 1, 2, 2});
  CHECK(file.dataset("weights/conv_bias").read<float>() == std::vector<float>{8, 9});
  CHECK(file.dataset("weights/fc_weight").read<float>() ==
        std::vector<float>{10, 11, 12, 13, 14, 15});
}

TEST_CASE("a file without weights, or with a part of them, asks whether the run ended") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  h5::File file = h5::File::create(path);
  file.flush();
  CHECK(reading_error(path, small_layout()) == path + ": holds no weights: did the run end?");

  file.create_group("weights").create_dataset("conv_weight", h5::Type::kFloat, {2, 1, 2, 2});
  file.flush();

  CHECK(reading_error(path, small_layout()) ==
        path + ": holds no complete weights: did the run end?");
}

TEST_CASE("weights of another model are refused: missing key, extra key, other shape") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  write_file(path, small_layout());

  ParameterLayout more = small_layout();
  more.add("fc_bias", {3}, false);
  CHECK(reading_error(path, more) ==
        path + ": /weights: has no array 'fc_bias', which the model has (another model?)");

  ParameterLayout fewer;
  fewer.add("conv_weight", {2, 1, 2, 2}, true);
  fewer.add("fc_weight", {3, 2}, true);
  CHECK(reading_error(path, fewer) ==
        path + ": /weights: has an array 'conv_bias', which the model has not (another model?)");

  ParameterLayout turned;
  turned.add("conv_weight", {2, 1, 2, 2}, true);
  turned.add("conv_bias", {2}, false);
  turned.add("fc_weight", {2, 3}, true);
  CHECK(reading_error(path, turned) ==
        path + ": /weights/fc_weight: has shape (3, 2), want (2, 3)");
}

TEST_CASE("weights of another type, and ranges of another size, are refused") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  ParameterLayout layout;
  layout.add("w", {2}, true);
  h5::File file = h5::File::create(path);
  h5::Group group = file.create_group("weights");
  group.create_dataset("w", h5::Type::kDouble, {2});
  group.set_attribute("clock", std::uint64_t{1});
  file.flush();

  CHECK(reading_error(path, layout) ==
        path + ": /weights/w: holds 64-bit float values, want 32-bit float");
  std::vector<float> three(3);
  CHECK(error_text([&] { read_weights(path, layout, three); }) ==
        path + ": got room for 3 weights, want 2");
  CHECK(error_text([&] { write_weights(file, layout, three, 1); }) ==
        path + ": got 3 weights to write, want 2");
}
