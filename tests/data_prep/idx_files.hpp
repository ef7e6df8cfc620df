#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace odsgd::test {

using Bytes = std::vector<std::uint8_t>;

/// An idx file of unsigned bytes: magic number, big-endian lengths, values.
Bytes idx(const std::vector<std::uint32_t>& shape, const Bytes& values);

Bytes gzip(const Bytes& content);
void write_bytes(const std::string& path, const Bytes& bytes);
Bytes read_bytes(const std::string& path);

/// A complete small set: 3 training images of 2 x 2 and 2 test images, labels below 10.
struct SmallSet {
  Bytes train_images = idx({3, 2, 2}, {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 255});
  Bytes train_labels = idx({3}, {9, 0, 4});
  Bytes test_images = idx({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  Bytes test_labels = idx({2}, {1, 7});

  /// Into an existing directory, under the names train-images-idx3-ubyte etc.
  void write_to(const std::string& directory) const;
};

}  // namespace odsgd::test
