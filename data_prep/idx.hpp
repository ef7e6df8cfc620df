#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace odsgd::prep {

/// What an idx file is wanted for.
enum class IdxContent { kImages, kLabels };

/// One idx file, whole: the format of MNIST's files, unsigned bytes only.
///
///     00 00 08 D              magic number: element type 08 (unsigned byte), D dimensions
///     D x 4 bytes             their lengths, big-endian
///     values                  row-major
struct IdxFile {
  std::string path;
  std::string sha256;                ///< of the file as it is stored
  std::vector<std::uint32_t> shape;  ///< images (N, H, W), labels (N)
  std::vector<std::uint8_t> values;

  std::size_t count() const { return shape[0]; }
};

/// Reads an idx file, plain or gzipped. Throws Error, naming the file, for anything that is not one
/// with this content: other magic number, wrong number of dimensions, no samples, sides outside
/// 1..65536, or more or fewer bytes than the header says. Takes no more memory than the file can
/// fill.
IdxFile read_idx(const std::string& path, IdxContent want);

}  // namespace odsgd::prep
