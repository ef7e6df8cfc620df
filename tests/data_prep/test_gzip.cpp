#include <doctest/doctest.h>

#include <string>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "idx_files.hpp"
#include "source_file.hpp"

using namespace odsgd;
using namespace odsgd::test;
using odsgd::prep::SourceFile;

namespace {

/// Bytes that deflate cannot shrink much, longer than any buffer of the reader.
Bytes noise(std::size_t size) {
  Bytes bytes(size);
  std::uint32_t state = 1;
  for (auto& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return bytes;
}

Bytes content_of(const std::string& path) {
  SourceFile file(path);
  Bytes content(10000000);
  content.resize(file.read(content));
  return content;
}

struct File {
  TemporaryDirectory directory;
  std::string path = directory.file("data.gz");

  explicit File(const Bytes& bytes) { write_bytes(path, bytes); }
  std::string error() const {
    return error_text([&] { content_of(path); });
  }
};

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("gzip data of one or more members gives back its content") {
  const Bytes long_content = noise(3000000);
  CHECK(content_of(File(gzip(long_content)).path) == long_content);
  CHECK(content_of(File(gzip({1, 2}) + gzip({3}) + gzip({})).path) == Bytes{1, 2, 3});
}

TEST_CASE("what does not begin like gzip data is taken as it is, whatever the name") {
  CHECK(content_of(File({0, 1, 2}).path) == Bytes{0, 1, 2});
  CHECK(content_of(File({0x1F}).path) == Bytes{0x1F});
}

TEST_CASE("every truncation of gzip data is an error, whatever it cuts") {
  const Bytes whole = gzip(noise(100));
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const File file(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    CHECK(file.error() == file.path + ": got gzip data that breaks off after " +
                              std::to_string(size) +
                              " bytes, want all of it (the file is truncated: get it again)");
  }
}

TEST_CASE("gzip data with a wrong checksum or length is an error") {
  const Bytes good = gzip(noise(100));
  for (const std::size_t from_end : {8U, 4U}) {  // CRC-32, then the length
    Bytes bad = good;
    bad[bad.size() - from_end] ^= 1U;
    const File file(bad);
    CHECK(file.error() == file.path +
                              ": got gzip data whose checksum does not fit its content, want "
                              "undamaged data (get the file again)");
  }
}

TEST_CASE("a flipped bit anywhere behind gzip's header is an error") {
  const Bytes content = noise(200);
  const Bytes good = gzip(content);
  for (std::size_t at = 10; at < good.size(); ++at) {
    Bytes bad = good;
    bad[at] ^= 1U;
    CAPTURE(at);
    CHECK(says(File(bad).error(), "gzip data"));
  }
}

TEST_CASE("other bytes behind gzip data are an error") {
  const File file(gzip({1, 2, 3}) + Bytes{0, 0});

  CHECK(file.error() ==
        file.path + ": got other bytes behind the gzip data, want the end of the file");
}

TEST_CASE("the hash is of the file as stored, all of it, packed or not") {
  for (const Bytes& stored : {gzip(noise(3000000)), noise(3000000)}) {
    Sha256 expected;
    expected.add(std::as_bytes(std::span(stored)));
    const File file(stored);
    SourceFile source(file.path);
    Bytes content(4000000);

    source.read(content);

    CHECK(source.sha256() == expected.finish());
  }
}

TEST_CASE("missing, empty and special files are errors of one line") {
  const TemporaryDirectory directory;
  const auto error = [](const std::string& path) { return error_text([&] { SourceFile{path}; }); };
  CHECK(error(directory.file("no")) ==
        directory.file("no") + ": cannot open: No such file or directory");
  CHECK(error(File({}).path).ends_with(": is empty (get the file again)"));
  CHECK(error(directory.path()) == directory.path() + ": is not a regular file");
  CHECK(error("/dev/zero") == "/dev/zero: is not a regular file");
}
