#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "output_file.hpp"

namespace odsgd::prep {

/// Samples of one part, training or test. The owner of the memory is the caller.
struct Samples {
  std::span<const std::uint8_t> images;  ///< (N, C, H, W), row-major
  std::span<const std::int32_t> labels;  ///< (N), 0 <= label < classes
};

/// What goes into a data file; docs/file-formats.md describes the file.
struct DataFile {
  struct Source {
    std::string name;  ///< without its directory
    std::string sha256;
  };

  std::string name;  ///< of the data set
  std::vector<std::string> class_names;
  std::size_t channels = 0;
  std::size_t height = 0;
  std::size_t width = 0;
  std::vector<double> mean;  ///< per channel, of training pixels / 255
  std::vector<double> std;   ///< same, of the whole population
  std::vector<Source> sources;
  Samples train;
  Samples test;
};

/// Writes the file and commits it. The same content gives the same bytes. Throws Error when writing
/// fails, e.g. on a full disk, or when a signal comes; then there is no file.
void write_data_file(const DataFile& data, OutputFile& output);

}  // namespace odsgd::prep
