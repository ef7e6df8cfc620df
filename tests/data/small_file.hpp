#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "odsgd/h5/file.hpp"

namespace odsgd::test {

/// One part of a data file; an empty name is left out of the file.
struct SmallSplit {
  h5::Shape images_shape;
  std::vector<std::uint8_t> images;
  h5::Shape labels_shape;
  std::vector<std::int32_t> labels;
  std::string images_name = "images";
  std::string labels_name = "labels";
};

/// A data file as docs/file-formats.md describes it, written without odsgd-prep: 5 training and 3
/// test images of 2 channels, 1 x 3 pixels, with 3 classes. Tests spoil parts of it.
struct SmallFile {
  SmallSplit train{.images_shape = {5, 2, 1, 3},
                   .images = {0,   51,  255, 102, 153, 204,  //
                              1,   2,   3,   4,   5,   6,    //
                              7,   8,   9,   10,  11,  12,   //
                              13,  14,  15,  16,  17,  18,   //
                              255, 254, 253, 252, 251, 250},
                   .labels_shape = {5},
                   .labels = {2, 0, 2, 1, 2}};
  SmallSplit test{.images_shape = {3, 2, 1, 3},
                  .images = {101, 102, 103, 104, 105, 106,  //
                             107, 108, 109, 110, 111, 112,  //
                             113, 114, 115, 116, 117, 118},
                  .labels_shape = {3},
                  .labels = {1, 1, 0}};
  std::map<std::string, h5::Attribute> attributes{
      {"format", std::string("odsgd-data")},
      {"format_version", std::int64_t{1}},
      {"layout", std::string("NCHW")},
      {"name", std::string("small")},
      {"created_by", std::string("a test")},
      {"class_names", std::vector<std::string>{"cat", "dog", "emu"}},
      {"mean", std::vector<double>{0.5, 0.25}},
      {"std", std::vector<double>{0.25, 0.5}},
      {"source_files", std::vector<std::string>{"a", "b"}},
      {"source_sha256", std::vector<std::string>{"0a", "0b"}}};
  std::function<void(h5::File&)> add;  ///< writes what the parts above cannot hold

  void write(const std::string& path) const;
};

/// A data file with this many training images of 2 channels, 3 x 5 pixels, all of them different.
SmallFile many_samples(std::size_t count);

}  // namespace odsgd::test
