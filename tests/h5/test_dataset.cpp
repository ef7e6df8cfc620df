#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"

using namespace odsgd;
using odsgd::test::error_text;
using odsgd::test::says;

namespace {

template <class T>
std::span<const T> view(const std::vector<T>& values) {
  return values;
}

}  // namespace

TEST_CASE_TEMPLATE("values of every type come back as they were written", T, std::uint8_t,
                   std::int32_t, std::int64_t, std::uint64_t, float, double) {
  const test::TemporaryDirectory directory;
  using Limits = std::numeric_limits<T>;
  const std::vector<T> values{Limits::lowest(), Limits::max(), Limits::min(), T{0}, T{1}, T{77}};
  {
    h5::File file = h5::File::create(directory.file("a.h5"));
    file.write("deep/er/values", {3, 2, 1}, view(values));
    file.close();
  }

  const h5::File file = h5::File::open_read(directory.file("a.h5"));
  const h5::Dataset dataset = file.dataset("deep/er/values");

  CHECK(dataset.shape() == h5::Shape{3, 2, 1});
  CHECK(dataset.stored_type() == to_string(h5::type_of<T>()));
  CHECK(dataset.read<T>() == values);
  CHECK(file.group("deep").group("er").dataset("values").read<T>() == values);
}

TEST_CASE("a single value and an empty array are data sets too") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  file.write("one", {}, view<double>({2.5}));
  file.write("none", {0, 4}, view<float>({}));

  CHECK(file.dataset("one").shape().empty());
  CHECK(file.dataset("one").read<double>() == std::vector<double>{2.5});
  CHECK(file.dataset("none").read<float>().empty());
  CHECK(says(error_text([&] { file.dataset("one").rows(); }), "single value, want rows"));
}

TEST_CASE("slabs of rows are written and read in any order") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  std::vector<std::int32_t> all(5 * 6);
  std::iota(all.begin(), all.end(), 0);
  h5::Dataset dataset = file.create_dataset("rows", h5::Type::kInt32, {5, 2, 3});

  dataset.write_rows(3, view(all).subspan(18, 12));
  dataset.write_rows(0, view(all).subspan(0, 18));

  CHECK(dataset.read<std::int32_t>() == all);
  std::vector<std::int32_t> middle(12);
  dataset.read_rows(1, std::span(middle));
  CHECK(middle == std::vector<std::int32_t>(all.begin() + 6, all.begin() + 18));
}

TEST_CASE("appended rows stand behind one another, across pieces") {
  const test::TemporaryDirectory directory;
  {
    h5::File file = h5::File::create(directory.file("a.h5"));
    h5::Dataset numbers = file.create_extendible("numbers", h5::Type::kInt64, {}, 4);
    h5::Dataset pairs = file.create_extendible("pairs", h5::Type::kFloat, {2}, 3);
    for (std::int64_t i = 0; i < 10; ++i) numbers.append(std::span<const std::int64_t>(&i, 1));
    pairs.append(view<float>({0, 1, 2, 3}));
    pairs.append(view<float>({}));
    pairs.append(view<float>({4, 5, 6, 7, 8, 9}));
    file.close();
  }

  const h5::File file = h5::File::open_read(directory.file("a.h5"));

  CHECK(file.dataset("numbers").read<std::int64_t>() ==
        std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(file.dataset("pairs").shape() == h5::Shape{5, 2});
  CHECK(file.dataset("pairs").read<float>() == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("reading widens but never narrows") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  h5::Dataset bytes = file.write("bytes", {2}, view<std::uint8_t>({7, 255}));
  h5::Dataset doubles = file.write("doubles", {2}, view<double>({0.5, 1e300}));
  h5::Dataset longs = file.write("longs", {1}, view<std::int64_t>({-1}));

  CHECK(bytes.read<std::int32_t>() == std::vector<std::int32_t>{7, 255});
  CHECK(bytes.read<std::uint64_t>() == std::vector<std::uint64_t>{7, 255});
  const std::string where = directory.file("a.h5") + ": ";
  CHECK(error_text([&] { doubles.read<float>(); }) ==
        where + "/doubles: holds 64-bit float values, want 32-bit float");
  CHECK(error_text([&] { bytes.read<float>(); }) ==
        where + "/bytes: holds 8-bit unsigned integer values, want 32-bit float");
  CHECK(error_text([&] { longs.read<std::uint64_t>(); }) ==
        where + "/longs: holds 64-bit integer values, want 64-bit unsigned integer");
  CHECK(error_text([&] { longs.write(view<double>({1.5})); }) ==
        where + "/longs: holds 64-bit integer values, want 64-bit float");
}

TEST_CASE("sizes that do not fit are errors that name both") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  h5::Dataset dataset = file.create_dataset("x", h5::Type::kFloat, {3, 2});
  std::vector<float> five(5);
  const std::string where = directory.file("a.h5") + ": /x: ";

  CHECK(error_text([&] { dataset.read(std::span(five)); }) ==
        where + "has shape (3, 2), want room for it, got 5 elements");
  CHECK(error_text([&] { dataset.write(view(five)); }) ==
        where + "has shape (3, 2), got 5 elements to write");
  CHECK(error_text([&] { dataset.write_rows(0, view(five)); }) ==
        where + "got 5 elements, want whole rows of 2");
  CHECK(error_text([&] {
          dataset.write_rows(2, view<float>({1, 2, 3, 4}));
        }) == where + "got rows 2 to 3, want rows below 3");
  CHECK(error_text([&] {
          dataset.require_shape({3, 4});
        }) == where + "has shape (3, 2), want (3, 4)");
  CHECK(error_text([&] { dataset.require_shape({3, 0}); }) == "no error");
  CHECK(error_text([&] { dataset.require_shape({3}); }) == where + "has shape (3, 2), want (3)");
  CHECK(says(error_text([&] {
               dataset.append(view<float>({1, 2}));
             }),
             where + "cannot add rows: "));
}
