#include "idx_files.hpp"

#include <zlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace odsgd::test {

Bytes idx(const std::vector<std::uint32_t>& shape, const Bytes& values) {
  Bytes bytes{0, 0, 8, static_cast<std::uint8_t>(shape.size())};
  for (const std::uint32_t length : shape) {
    for (const int shift : {24, 16, 8, 0}) {
      bytes.push_back(static_cast<std::uint8_t>(length >> static_cast<unsigned>(shift)));
    }
  }
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

Bytes gzip(const Bytes& content) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  if (deflateInit2(&stream, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  Bytes packed(deflateBound(&stream, content.size()) + 32);
  Bytes input = content;
  stream.next_in = input.data();
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("deflate");
  return packed;
}

void write_bytes(const std::string& path, const Bytes& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw std::runtime_error(path + ": cannot write");
}

Bytes read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void SmallSet::write_to(const std::string& directory) const {
  write_bytes(directory + "/train-images-idx3-ubyte", train_images);
  write_bytes(directory + "/train-labels-idx1-ubyte", train_labels);
  write_bytes(directory + "/t10k-images-idx3-ubyte", test_images);
  write_bytes(directory + "/t10k-labels-idx1-ubyte", test_labels);
}

}  // namespace odsgd::test
