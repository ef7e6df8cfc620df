#include "data_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "odsgd/base/error.hpp"
#include "odsgd/base/sha256.hpp"
#include "odsgd/data/format.hpp"
#include "odsgd/h5/file.hpp"
#include "version.hpp"

namespace odsgd::prep {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 24U;  // between two looks for a signal

/// Of the images' bytes and then the labels' little-endian ones.
std::string sha256_of(const Samples& samples) {
  static_assert(std::endian::native == std::endian::little);
  Sha256 hash;
  hash.add(std::as_bytes(samples.images));
  hash.add(std::as_bytes(samples.labels));
  return hash.finish();
}

void write_samples(h5::Group group, const DataFile& data, const Samples& samples,
                   const OutputFile& output) {
  const std::size_t image = data.channels * data.height * data.width;
  const std::size_t count = samples.labels.size();
  ODSGD_REQUIRE(samples.images.size() == count * image,
                "{}: got {} bytes of images, want {} x {} (labels x image size)",
                group.location().text(), samples.images.size(), count, image);
  h5::Dataset images = group.create_dataset("images", h5::Type::kUint8,
                                            {count, data.channels, data.height, data.width});
  const std::size_t rows = std::max<std::size_t>(1, kPieceBytes / image);
  for (std::size_t first = 0; first < count; first += rows) {
    output.throw_if_stopped();
    const std::size_t now = std::min(rows, count - first);
    images.write_rows(first, samples.images.subspan(first * image, now * image));
  }
  group.write("labels", {count}, samples.labels);
  group.set_attribute("sha256", sha256_of(samples));
}

void write_attributes(h5::File& file, const DataFile& data) {
  file.set_attribute("format", std::string(data_format::kFormat));
  file.set_attribute("format_version", data_format::kVersion);
  file.set_attribute("layout", std::string(data_format::kLayout));
  file.set_attribute("name", data.name);
  file.set_attribute("class_names", data.class_names);
  file.set_attribute("mean", data.mean);
  file.set_attribute("std", data.std);
  std::vector<std::string> names;
  std::vector<std::string> hashes;
  for (const auto& [name, sha256] : data.sources) {
    names.push_back(name);
    hashes.push_back(sha256);
  }
  file.set_attribute("source_files", names);
  file.set_attribute("source_sha256", hashes);
  file.set_attribute("created_by", fmt::format("odsgd-prep {}", kVersion));
}

/// A clear word before a long write, where the file system says how much room it has.
void require_room(const DataFile& data, const std::string& path) {
  std::uint64_t bytes = 0;
  for (const Samples& samples : {data.train, data.test}) {
    bytes += samples.images.size_bytes() + samples.labels.size_bytes();
  }
  std::error_code error;
  const auto parent = std::filesystem::absolute(path).parent_path();
  const auto space = std::filesystem::space(parent, error);
  const bool is_known = !error && space.capacity > 0;  // /proc and the like say 0
  ODSGD_REQUIRE(!is_known || space.available >= bytes,
                "{}: got {} bytes of free disk space, want {} (free some, or write elsewhere)",
                path, space.available, bytes);
}

}  // namespace

void write_data_file(const DataFile& data, OutputFile& output) {
  require_room(data, output.path());
  try {
    h5::File file = h5::File::create(output.temporary_path());
    write_attributes(file, data);
    write_samples(file.create_group("train"), data, data.train, output);
    write_samples(file.create_group("test"), data, data.test, output);
    file.close();
  } catch (const Error& error) {
    fail("{}: was not written: {}", output.path(), error.what());
  }
  output.commit();
}

}  // namespace odsgd::prep
