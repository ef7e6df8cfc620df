#include "small_file.hpp"

#include <span>

namespace odsgd::test {
namespace {

void write_split(h5::Group group, const SmallSplit& split) {
  if (!split.images_name.empty()) {
    group.write(split.images_name, split.images_shape, std::span(split.images));
  }
  if (!split.labels_name.empty()) {
    group.write(split.labels_name, split.labels_shape, std::span(split.labels));
  }
  group.set_attribute("sha256", std::string(group.location().path == "/train" ? "1a" : "1b"));
}

}  // namespace

void SmallFile::write(const std::string& path) const {
  h5::File file = h5::File::create(path);
  for (const auto& [name, value] : attributes) file.set_attribute(name, value);
  write_split(file.create_group("train"), train);
  write_split(file.create_group("test"), test);
  if (add) add(file);
  file.close();
}

SmallFile many_samples(std::size_t count) {
  constexpr std::size_t kImageSize = std::size_t{2} * 3 * 5;
  SmallFile file;
  file.train.images_shape = {count, 2, 3, 5};
  file.train.images.clear();
  file.train.labels_shape = {count};
  file.train.labels.clear();
  for (std::size_t i = 0; i < count; ++i) {
    // Two pixels hold the sample's number, the others depend on it and on their place.
    for (std::size_t p = 0; p < kImageSize; ++p) {
      const std::size_t pixel = p == 0 ? i % 256 : p == 1 ? i / 256 : i * 7 + p * 11;
      file.train.images.push_back(static_cast<std::uint8_t>(pixel));
    }
    file.train.labels.push_back(static_cast<std::int32_t>(i % 3));
  }
  file.test.images_shape = {1, 2, 3, 5};
  file.test.images.assign(kImageSize, 9);
  file.test.labels_shape = {1};
  file.test.labels = {0};
  return file;
}

}  // namespace odsgd::test
