#include <doctest/doctest.h>

#include <string>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "idx.hpp"
#include "idx_files.hpp"

using namespace odsgd::test;
using odsgd::prep::IdxContent;
using odsgd::prep::IdxFile;
using odsgd::prep::read_idx;

namespace {

constexpr std::uint32_t kMany = 0xFFFFFFFF;

struct File {
  TemporaryDirectory directory;
  std::string path = directory.file("f");

  explicit File(const Bytes& bytes) { write_bytes(path, bytes); }

  /// The error text behind the file's name.
  std::string error(IdxContent want = IdxContent::kImages) const {
    const std::string text = error_text([&] { read_idx(path, want); });
    return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : "without path: " + text;
  }
};

Bytes text(const std::string& content) { return {content.begin(), content.end()}; }

Bytes images() { return idx({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}); }

Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t value) {
  bytes[at] = value;
  return bytes;
}

Bytes cut(Bytes bytes, std::size_t size) {
  bytes.resize(size);
  return bytes;
}

}  // namespace

TEST_CASE("images and labels are read, plain and gzipped") {
  for (const bool is_packed : {false, true}) {
    const File image_file(is_packed ? gzip(images()) : images());
    const File label_file(is_packed ? gzip(idx({2}, {7, 8})) : idx({2}, {7, 8}));

    const IdxFile image_data = read_idx(image_file.path, IdxContent::kImages);
    const IdxFile label_data = read_idx(label_file.path, IdxContent::kLabels);

    CHECK(image_data.shape == std::vector<std::uint32_t>{2, 2, 3});
    CHECK(image_data.values == Bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    CHECK(label_data.shape == std::vector<std::uint32_t>{2});
    CHECK(label_data.values == Bytes{7, 8});
  }
}

TEST_CASE("a file longer than the reader's pieces comes whole and in order") {
  constexpr std::uint32_t kSide = 3000;
  Bytes values(4UL * kSide * kSide);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i % 251);

  CHECK(read_idx(File(idx({4, kSide, kSide}, values)).path, IdxContent::kImages).values == values);
  CHECK(read_idx(File(gzip(idx({4, kSide, kSide}, values))).path, IdxContent::kImages).values ==
        values);
}

TEST_CASE("swapped images and labels are called so") {
  CHECK(File(images()).error(IdxContent::kLabels) ==
        "got images, want labels (are the files of images and labels swapped?)");
  CHECK(File(gzip(idx({20}, Bytes(20)))).error(IdxContent::kImages) ==
        "got labels, want images (are the files of images and labels swapped?)");
  CHECK(File(idx({2}, {1, 2})).error(IdxContent::kImages) ==
        "got labels, want images (are the files of images and labels swapped?)");
}

TEST_CASE("other magic numbers are refused with what they are") {
  CHECK(File(with_byte(images(), 0, 3)).error() ==
        "got 03 00 08 03 as first bytes, want 00 00 08 03 (is this an idx file?)");
  CHECK(File(with_byte(images(), 2, 0x0D)).error() ==
        "got values of type 0x0d (32-bit float), want 0x08 (unsigned byte)");
  CHECK(File(with_byte(images(), 2, 0x55)).error() ==
        "got values of type 0x55 (unknown), want 0x08 (unsigned byte)");
  CHECK(File(with_byte(images(), 3, 4)).error() == "got 4 dimensions, want 3 for images");
  CHECK(File(with_byte(idx({30}, Bytes(30)), 3, 0)).error(IdxContent::kLabels) ==
        "got 0 dimensions, want 1 for labels");
}

TEST_CASE("a web page is called so, plain and gzipped") {
  const Bytes page = text("<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n");
  const std::string want = "got a web page (did the download fail?), want an idx file of images";
  CHECK(File(page).error() == want);
  CHECK(File(gzip(page)).error() == want);
  CHECK(File(text("<html/>")).error() == want);  // shorter than an idx header
}

TEST_CASE("a truncated file is refused wherever it breaks off") {
  const Bytes whole = images();
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const std::string plain = File(cut(whole, size)).error();
    const std::string packed = File(gzip(cut(whole, size))).error();
    CHECK(says(plain, "truncated"));
    CHECK(says(packed, "truncated"));
  }
  CHECK(File(cut(whole, 27)).error() ==
        "got 27 bytes, want 28, which its header says (2 x 2 x 3 images; truncated or damaged: get "
        "the file again)");
  CHECK(File(gzip(cut(whole, 27))).error() ==
        "got 11 values, want 12 (truncated: get the file again)");
}

TEST_CASE("bytes behind the values are refused, few or many, plain or gzipped") {
  for (const std::size_t extra : {1U, 30U, 1000U}) {
    Bytes longer = images();
    longer.resize(longer.size() + extra);
    const std::string want =
        "got more bytes behind its 12 values, want the end of the file (another format, or "
        "damaged?)";
    CHECK(File(longer).error() == want);
    CHECK(File(gzip(longer)).error() == want);
  }
}

TEST_CASE("what is wrong right behind the last value is seen") {
  Bytes one_more = idx({200}, Bytes(200));
  one_more.push_back(0);
  Bytes bad_checksum = gzip(idx({200}, Bytes(200)));
  bad_checksum[bad_checksum.size() - 8] ^= 1U;

  CHECK(says(File(one_more).error(IdxContent::kLabels), "got more bytes behind its 200 values"));
  CHECK(says(File(gzip(one_more)).error(IdxContent::kLabels), "more bytes behind"));
  CHECK(says(File(bad_checksum).error(IdxContent::kLabels), "checksum does not fit"));
}

TEST_CASE("sizes beyond the file are refused before any memory is taken") {
  CHECK(File(idx({kMany}, {1})).error(IdxContent::kLabels) ==
        "got 9 bytes, want 4294967303, which its header says (4294967295 labels; truncated or "
        "damaged: get the file again)");
  CHECK(says(File(gzip(idx({kMany, 65536, 65536}, {1}))).error(),
             "want 18446744069414584336, which its header says (4294967295 x 65536 x 65536"));
  CHECK(File(idx({1, kMany, 2}, {1})).error() ==
        "got images of 4294967295 x 2 pixels, want sides of 1 to 65536");
  CHECK(File(idx({1, 2, 65537}, {1})).error() ==
        "got images of 2 x 65537 pixels, want sides of 1 to 65536");
}

TEST_CASE("no samples and empty images are refused") {
  CHECK(File(idx({0, 2, 2}, {})).error() == "got 0 images, want at least 1");
  CHECK(File(idx({0}, {})).error(IdxContent::kLabels) == "got 0 labels, want at least 1");
  CHECK(File(idx({3, 0, 2}, {})).error() == "got images of 0 x 2 pixels, want sides of 1 to 65536");
}
