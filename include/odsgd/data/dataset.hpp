#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace odsgd {

/// Training or test part of a data set.
struct Split {
  std::size_t count = 0;
  std::span<const std::uint8_t> images;  ///< (count, C, H, W), row-major
  std::span<const std::int32_t> labels;  ///< (count), from 0
  std::string sha256;                    ///< of images and labels, as odsgd-prep found it
};

/// What a data file says of itself, without its samples.
struct DatasetInfo {
  std::string path;
  std::string name;
  std::string created_by;
  int channels = 0;
  int height = 0;
  int width = 0;
  std::size_t train_count = 0;
  std::size_t test_count = 0;
  std::vector<std::string> class_names;
  std::vector<float> mean;  ///< per channel, of the training pixels divided by 255
  std::vector<float> std;   ///< same
  std::vector<std::pair<std::string, std::string>>
      sources;  ///< file name and SHA-256 of what was packed
  std::string train_sha256;
  std::string test_sha256;

  int classes() const { return static_cast<int>(class_names.size()); }
  std::size_t image_size() const;  ///< bytes, C H W
};

/// Reads and checks a data file without its samples. Throws Error, naming file and data set, when
/// it is not one.
DatasetInfo read_dataset_info(const std::string& path);

/// A data set of images, whole in memory.
///
/// Immutable once loaded: ranks that are threads share one.
class Dataset {
 public:
  /// Reads a file of odsgd-prep. Throws Error, naming file and data set, for anything that is not
  /// one: not HDF5, a data set missing or of the wrong type or shape, labels outside the classes,
  /// an unknown format version.
  static Dataset load(const std::string& path);

  const DatasetInfo& info() const { return info_; }
  Split train() const {
    return {info_.train_count, train_.images, train_.labels, info_.train_sha256};
  }
  Split test() const { return {info_.test_count, test_.images, test_.labels, info_.test_sha256}; }

 private:
  struct Samples {
    std::vector<std::uint8_t> images;
    std::vector<std::int32_t> labels;
  };

  DatasetInfo info_;
  Samples train_;
  Samples test_;
};

/// How many samples of a split have each class.
std::vector<std::size_t> label_histogram(const Split& split, int classes);

}  // namespace odsgd
