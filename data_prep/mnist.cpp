#include "mnist.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "channel_statistics.hpp"
#include "data_file.hpp"
#include "idx.hpp"
#include "odsgd/base/error.hpp"

namespace odsgd::prep {
namespace {

namespace fs = std::filesystem;

void check_input(const std::string& directory) {
  std::error_code error;
  const auto status = fs::status(directory, error);
  ODSGD_REQUIRE(fs::exists(status), "{}: no such directory, want the one with the idx files",
                directory);
  ODSGD_REQUIRE(fs::is_directory(status), "{}: is not a directory, want the one with the idx files",
                directory);
  ODSGD_REQUIRE(access(directory.c_str(), X_OK) == 0, "{}: cannot look into it: {}", directory,
                std::strerror(errno));
}

/// E.g. part "train", content "images", kind "idx3".
fs::path find_file(const fs::path& directory, const std::string& part, const std::string& content,
                   const std::string& kind) {
  std::vector<std::string> names;
  for (const char* dot : {"-", "."}) {
    for (const char* packed : {"", ".gz"}) {
      names.push_back(fmt::format("{}-{}{}{}-ubyte{}", part, content, dot, kind, packed));
    }
  }
  std::error_code error;
  for (const std::string& name : names) {
    if (fs::is_regular_file(directory / name, error)) return directory / name;
  }
  fail("{}: got no file of the {} {}, want {}", directory.string(),
       part == "train" ? "training" : "test", content, fmt::join(names, " or "));
}

/// One part's two files, read and compared.
struct Part {
  IdxFile images;
  IdxFile labels;
  std::vector<std::int32_t> label_values;

  Samples samples() const { return {images.values, label_values}; }
};

void check_labels(const IdxFile& labels, std::size_t classes) {
  for (std::size_t i = 0; i < labels.count(); ++i) {
    ODSGD_REQUIRE(labels.values[i] < classes,
                  "{}: label of sample {}: got {}, want 0 to {} (--class-names names {} classes)",
                  labels.path, i, labels.values[i], classes - 1, classes);
  }
}

Part read_part(const fs::path& images_path, const fs::path& labels_path, std::size_t classes) {
  Part part{read_idx(images_path.string(), IdxContent::kImages),
            read_idx(labels_path.string(), IdxContent::kLabels),
            {}};
  ODSGD_REQUIRE(part.images.count() == part.labels.count(),
                "{}: got {} labels, want {}, as many as images in {}", part.labels.path,
                part.labels.count(), part.images.count(), part.images.path);
  check_labels(part.labels, classes);
  part.label_values.assign(part.labels.values.begin(), part.labels.values.end());
  return part;
}

void check_same_size(const IdxFile& train, const IdxFile& test) {
  ODSGD_REQUIRE(train.shape[1] == test.shape[1] && train.shape[2] == test.shape[2],
                "{}: got test images of {} x {}, want {} x {}, as the training images in {}",
                test.path, test.shape[1], test.shape[2], train.shape[1], train.shape[2],
                train.path);
}

DataFile describe(const MnistOptions& options, const Part& train, const Part& test) {
  ChannelStatistics statistics(1);
  DataFile data;
  data.name = options.name;
  data.class_names = options.class_names;
  data.channels = 1;
  data.height = train.images.shape[1];
  data.width = train.images.shape[2];
  statistics.add(train.images.values, data.height * data.width);
  data.mean = statistics.mean();
  data.std = statistics.std();
  for (const IdxFile* file : {&train.images, &train.labels, &test.images, &test.labels}) {
    data.sources.push_back({fs::path(file->path).filename().string(), file->sha256});
  }
  data.train = train.samples();
  data.test = test.samples();
  return data;
}

}  // namespace

MnistSummary pack_mnist(const MnistOptions& options) {
  check_output(options.output, options.existing);
  check_input(options.input);
  const auto find = [&](const char* part, const char* content, const char* kind) {
    return find_file(options.input, part, content, kind);
  };
  const fs::path train_images = find("train", "images", "idx3");
  const fs::path train_labels = find("train", "labels", "idx1");
  const fs::path test_images = find("t10k", "images", "idx3");
  const fs::path test_labels = find("t10k", "labels", "idx1");
  for (const fs::path& source : {train_images, train_labels, test_images, test_labels}) {
    std::error_code error;
    ODSGD_REQUIRE(!fs::equivalent(source, options.output, error),
                  "{}: is an input file, want another name for the output", options.output);
  }

  const Part train = read_part(train_images, train_labels, options.class_names.size());
  const Part test = read_part(test_images, test_labels, options.class_names.size());
  check_same_size(train.images, test.images);
  const DataFile data = describe(options, train, test);
  ODSGD_REQUIRE(data.std[0] > 0, "{}: got {} for every pixel, want images that differ",
                train.images.path, train.images.values[0]);
  OutputFile output(options.output, options.existing);
  write_data_file(data, output);
  return {train.images.count(), test.images.count(), data.height,
          data.width,           data.mean[0],        data.std[0]};
}

}  // namespace odsgd::prep
