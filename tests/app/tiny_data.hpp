#pragma once

#include <string>

#include "odsgd/h5/file.hpp"

namespace odsgd::test {

/// 530 training and 103 test images of 1x28x28 in 10 classes, each class a pattern under noise:
/// enough for 16 steps of a global batch of 32, with samples left over.
constexpr std::size_t kTinyTrainCount = 530;
constexpr std::size_t kTinyTestCount = 103;
constexpr std::uint64_t kTinySide = 28;

/// A data file as it has to be, of images of side x side pixels.
void write_tiny_data(const std::string& path, std::uint64_t side = kTinySide);

/// The parts of which it is made, for files that lack one.
void write_attributes(h5::File& file);
void write_images(h5::File& file, const std::string& split, std::size_t count, std::uint64_t side);
void write_labels(h5::File& file, const std::string& split, std::size_t count,
                  std::int32_t first = 0);

}  // namespace odsgd::test
