#include "odsgd/data/dataset.hpp"

#include <cmath>
#include <limits>
#include <new>

#include "odsgd/base/error.hpp"
#include "odsgd/data/format.hpp"
#include "odsgd/h5/file.hpp"

namespace odsgd {
namespace {

constexpr std::uint64_t kMaxExtent = 1U << 16U;
constexpr std::uint64_t kMaxImage = 1U << 31U;  // bytes; with kMaxSamples no size overflows
constexpr std::uint64_t kMaxSamples = UINT32_MAX;

/// Shape of a split's images, checked against its labels.
h5::Shape image_shape(const h5::Group& split) {
  const h5::Dataset images = split.dataset("images");
  const h5::Dataset labels = split.dataset("labels");
  h5::Shape shape = images.shape();
  ODSGD_REQUIRE(shape.size() == 4,
                "{} has {} dimensions, want 4 (N, C, H, W); was it written by odsgd-prep?",
                images.location().text(), shape.size());
  ODSGD_REQUIRE(labels.shape() == h5::Shape{shape[0]},
                "{} has shape {}, want ({}), a label for each image", labels.location().text(),
                h5::to_string(labels.shape()), shape[0]);
  ODSGD_REQUIRE(shape[0] > 0, "{} has no samples", images.location().text());
  for (std::size_t d = 1; d < 4; ++d) {
    ODSGD_REQUIRE(shape[d] >= 1 && shape[d] <= kMaxExtent,
                  "{} has shape {}, want extents of 1 to {}", images.location().text(),
                  h5::to_string(shape), kMaxExtent);
  }
  ODSGD_REQUIRE(shape[0] <= kMaxSamples && shape[1] * shape[2] * shape[3] < kMaxImage,
                "{} has shape {}, want at most {} images of less than {} bytes",
                images.location().text(), h5::to_string(shape), kMaxSamples, kMaxImage);
  return shape;
}

void check_format(const h5::File& file) {
  const std::string& path = file.location().file;
  ODSGD_REQUIRE(file.has_attribute("format") &&
                    file.attribute_as<std::string>("format") == data_format::kFormat,
                "{}: is not a data file of odsgd-prep (it lacks the attribute format = {})", path,
                data_format::kFormat);
  const auto version = file.attribute_as<std::int64_t>("format_version");
  ODSGD_REQUIRE(version == data_format::kVersion,
                "{}: has format version {}, want {} (pack the data again with this odsgd-prep)",
                path, version, data_format::kVersion);
  const auto layout = file.attribute_as<std::string>("layout");
  ODSGD_REQUIRE(layout == data_format::kLayout, "{}: has layout {}, want {}", path, layout,
                data_format::kLayout);
}

std::vector<float> channel_values(const h5::File& file, const char* name, int channels,
                                  bool is_positive) {
  const auto values = file.attribute_as<std::vector<double>>(name);
  ODSGD_REQUIRE(values.size() == static_cast<std::size_t>(channels),
                "{}: attribute {} holds {} values, want {}, one a channel", file.location().file,
                name, values.size(), channels);
  using Float = std::numeric_limits<float>;  // what the values become
  for (const double value : values) {
    ODSGD_REQUIRE(std::abs(value) <= Float::max() && (!is_positive || value >= Float::min()),
                  "{}: attribute {}: got {}, want a {} number", file.location().file, name, value,
                  is_positive ? "positive" : "finite");
  }
  return {values.begin(), values.end()};
}

std::string optional_text(const h5::Object& object, const char* name) {
  return object.has_attribute(name) ? object.attribute_as<std::string>(name) : "";
}

DatasetInfo read_info(const h5::File& file) {
  const std::string& path = file.location().file;
  check_format(file);
  DatasetInfo info;
  info.path = path;
  info.name = optional_text(file, "name");
  info.created_by = optional_text(file, "created_by");
  info.class_names = file.attribute_as<std::vector<std::string>>("class_names");
  ODSGD_REQUIRE(!info.class_names.empty(),
                "{}: attribute class_names is empty, want at least 1 name", path);

  const h5::Group train = file.group("train");
  const h5::Group test = file.group("test");
  const h5::Shape train_shape = image_shape(train);
  const h5::Shape test_shape = image_shape(test);
  for (std::size_t d = 1; d < 4; ++d) {
    ODSGD_REQUIRE(train_shape[d] == test_shape[d],
                  "{}: /train/images has shape {}, and /test/images {}", path,
                  h5::to_string(train_shape), h5::to_string(test_shape));
  }
  info.train_count = train_shape[0];
  info.test_count = test_shape[0];
  info.channels = static_cast<int>(train_shape[1]);
  info.height = static_cast<int>(train_shape[2]);
  info.width = static_cast<int>(train_shape[3]);
  info.mean = channel_values(file, "mean", info.channels, false);
  info.std = channel_values(file, "std", info.channels, true);
  info.train_sha256 = optional_text(train, "sha256");
  info.test_sha256 = optional_text(test, "sha256");
  if (file.has_attribute("source_files")) {
    const auto files = file.attribute_as<std::vector<std::string>>("source_files");
    const auto hashes = file.attribute_as<std::vector<std::string>>("source_sha256");
    ODSGD_REQUIRE(files.size() == hashes.size(), "{}: has {} source_files and {} source_sha256",
                  path, files.size(), hashes.size());
    for (std::size_t i = 0; i < files.size(); ++i) info.sources.emplace_back(files[i], hashes[i]);
  }
  return info;
}

std::vector<std::int32_t> read_labels(const h5::Group& split, int classes) {
  const h5::Dataset dataset = split.dataset("labels");
  auto labels = dataset.read<std::int32_t>();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ODSGD_REQUIRE(labels[i] >= 0 && labels[i] < classes, "{}: label {} is {}, want 0 to {}",
                  dataset.location().text(), i, labels[i], classes - 1);
  }
  return labels;
}

}  // namespace

std::size_t DatasetInfo::image_size() const {
  return static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) *
         static_cast<std::size_t>(width);
}

DatasetInfo read_dataset_info(const std::string& path) {
  return read_info(h5::File::open_read(path));
}

Dataset Dataset::load(const std::string& path) {
  const h5::File file = h5::File::open_read(path);
  Dataset data;
  data.info_ = read_info(file);
  const DatasetInfo& info = data.info_;
  try {
    for (auto [name, into] : {std::pair{"train", &data.train_}, std::pair{"test", &data.test_}}) {
      const h5::Group split = file.group(name);
      into->images = split.dataset("images").read<std::uint8_t>();
      into->labels = read_labels(split, info.classes());
    }
  } catch (const std::bad_alloc&) {
    fail("{}: got too little memory for {} bytes of images, want all of them in memory", path,
         (info.train_count + info.test_count) * info.image_size());
  }
  return data;
}

std::vector<std::size_t> label_histogram(const Split& split, int classes) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(classes));
  for (const std::int32_t label : split.labels) ++counts[static_cast<std::size_t>(label)];
  return counts;
}

}  // namespace odsgd
