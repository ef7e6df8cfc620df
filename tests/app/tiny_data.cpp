#include "app/tiny_data.hpp"

#include <vector>

#include "odsgd/base/random.hpp"

namespace odsgd::test {
namespace {

constexpr std::size_t kClasses = 10;

}  // namespace

void write_attributes(h5::File& file) {
  file.set_attribute("format", std::string("odsgd-data"));
  file.set_attribute("format_version", std::int64_t{1});
  file.set_attribute("layout", std::string("NCHW"));
  file.set_attribute("name", std::string("tiny"));
  file.set_attribute("class_names",
                     std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  file.set_attribute("mean", std::vector<double>{0.5});
  file.set_attribute("std", std::vector<double>{0.25});
}

void write_images(h5::File& file, const std::string& split, std::size_t count, std::uint64_t side) {
  const std::size_t pixels = side * side;
  const Random pattern(1, 0);
  const Random noise(2, split == "train" ? 0 : 1);
  std::vector<std::uint8_t> images(count * pixels);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::size_t label = i / pixels % kClasses;
    const double value =
        0.6 * pattern.uniform(label * pixels + i % pixels) + 0.4 * noise.uniform(i);
    images[i] = static_cast<std::uint8_t>(255 * value);
  }
  file.write<std::uint8_t>(split + "/images", {count, 1, side, side}, images);
}

void write_labels(h5::File& file, const std::string& split, std::size_t count, std::int32_t first) {
  std::vector<std::int32_t> labels(count);
  for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::int32_t>(i % kClasses);
  labels[0] = first;
  file.write<std::int32_t>(split + "/labels", {count}, labels);
}

void write_tiny_data(const std::string& path, std::uint64_t side) {
  h5::File file = h5::File::create(path);
  write_attributes(file);
  write_images(file, "train", kTinyTrainCount, side);
  write_images(file, "test", kTinyTestCount, side);
  write_labels(file, "train", kTinyTrainCount);
  write_labels(file, "test", kTinyTestCount);
  file.close();
}

}  // namespace odsgd::test
