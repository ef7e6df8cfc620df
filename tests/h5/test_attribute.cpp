#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/shell.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"

using namespace odsgd;
using odsgd::test::error_text;
using odsgd::test::says;

namespace {

using Strings = std::vector<std::string>;

const std::vector<std::pair<std::string, h5::Attribute>> kOneOfEach{
    {"yes", true},
    {"no", false},
    {"negative", std::int64_t{-5}},
    {"huge", std::uint64_t{18446744073709551615U}},
    {"real", 0.1},
    {"text", std::string("gr\xc3\xbc\xc3\x9f dich\nzweite Zeile")},
    {"empty", std::string()},
    {"integers", std::vector<std::int64_t>{3, -1}},
    {"reals", std::vector<double>{0.25, 1e-300}},
    {"texts", Strings{"T-shirt/top", "", "Bag"}},
    {"no_texts", Strings{}},
    {"no_reals", std::vector<double>{}},
};

void write_one_of_each(const std::string& path) {
  h5::File file = h5::File::create(path);
  for (const auto& [name, value] : kOneOfEach) file.set_attribute(name, value);
  file.close();
}

}  // namespace

TEST_CASE("attributes of every type come back as they were written") {
  const test::TemporaryDirectory directory;
  write_one_of_each(directory.file("a.h5"));

  const h5::File file = h5::File::open_read(directory.file("a.h5"));

  CHECK(file.attribute_names().size() == kOneOfEach.size());
  for (const auto& [name, value] : kOneOfEach) {
    CAPTURE(name);
    CHECK(file.attribute(name) == value);
  }
}

TEST_CASE("attributes belong to groups and data sets, and are replaced") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  h5::Group group = file.create_group("g");
  h5::Dataset dataset = group.create_dataset("d", h5::Type::kFloat, {1});

  group.set_attribute("status", std::string("running"));
  group.set_attribute("status", std::string("finished after all"));
  dataset.set_attribute("units", 3);

  CHECK(group.attribute_as<std::string>("status") == "finished after all");
  CHECK(dataset.attribute_as<std::int64_t>("units") == 3);
  CHECK_FALSE(file.has_attribute("units"));
  CHECK(group.attribute_names() == Strings{"status"});
}

TEST_CASE("a typed attribute converts integers without loss and nothing else") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  for (const auto& [name, value] : kOneOfEach) file.set_attribute(name, value);
  file.set_attribute("five", std::uint64_t{5});
  const std::string where = directory.file("a.h5") + ": ";

  CHECK(file.attribute_as<std::int64_t>("five") == 5);
  CHECK(file.attribute_as<double>("negative") == -5.0);
  CHECK(file.attribute_as<std::vector<double>>("integers") == std::vector<double>{3, -1});
  CHECK(file.attribute_as<bool>("yes"));
  CHECK(error_text([&] { file.attribute_as<std::int64_t>("huge"); }) ==
        where + "attribute 'huge' is an unsigned integer, want an integer");
  CHECK(error_text([&] { file.attribute_as<std::uint64_t>("negative"); }) ==
        where + "attribute 'negative' is an integer, want an unsigned integer");
  CHECK(error_text([&] { file.attribute_as<std::int64_t>("real"); }) ==
        where + "attribute 'real' is a number, want an integer");
  CHECK(error_text([&] { file.attribute_as<std::string>("texts"); }) ==
        where + "attribute 'texts' is a list of strings, want a string");
  CHECK(error_text([&] { file.attribute("absent"); }) == where + "has no attribute 'absent'");
}

TEST_CASE("h5dump and h5py show attributes as text, truth values and numbers") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("a.h5");
  write_one_of_each(path);

  if (test::runs("h5dump --version")) {
    const auto dump = test::shell("h5dump -A " + path);
    CHECK(dump.status == 0);
    CHECK(says(dump.output, "(0): \"T-shirt/top\", \"\", \"Bag\""));
    CHECK(says(dump.output, "(0): TRUE"));
  } else {
    MESSAGE("h5dump is missing: its view is not tested");
  }
  if (test::runs("/usr/bin/python3 -c 'import h5py'")) {
    const auto python = test::shell(
        "/usr/bin/python3 -c \"import h5py; a = h5py.File('" + path +
        "').attrs; print(a['yes'], a['no'], list(a['texts']), a['huge'], a['real'], "
        "a['text'].split()[0] == 'gr\\xfc\\xdf', a['integers'].tolist(), list(a['no_texts']))\"");
    CHECK(python.output ==
          "True False ['T-shirt/top', '', 'Bag'] 18446744073709551615 0.1 True [3, -1] []\n");
  } else {
    MESSAGE("h5py is missing: its view is not tested");
  }
}

TEST_CASE("attributes and arrays that h5py wrote are read") {
  if (!test::runs("/usr/bin/python3 -c 'import h5py'")) {
    MESSAGE("h5py is missing: not tested");
    return;
  }
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("a.h5");
  const auto python = test::shell(
      "/usr/bin/python3 -c \"\n"
      "import h5py, numpy as np\n"
      "f = h5py.File('" +
      path +
      "', 'w', libver='latest')\n"
      "f.attrs['fixed'] = np.bytes_('abc')\n"
      "f.attrs['fixed_list'] = np.array(['ab', 'cde'], dtype='S5')\n"
      "f.attrs['flag'] = True\n"
      "f.attrs['small'] = np.int8(-3)\n"
      "f.attrs['single'] = np.float32(0.5)\n"
      "f.attrs['pair'] = h5py.Empty('f')\n"
      "f['big_endian'] = np.array([1, 2], dtype='>i4')\n"
      "f['text'] = 'a string'\n\"");
  REQUIRE(python.output.empty());

  const h5::File file = h5::File::open_read(path);

  CHECK(file.attribute_as<std::string>("fixed") == "abc");
  CHECK(file.attribute_as<Strings>("fixed_list") == Strings{"ab", "cde"});
  CHECK(file.attribute_as<bool>("flag"));
  CHECK(file.attribute_as<std::int64_t>("small") == -3);
  CHECK(file.attribute_as<double>("single") == 0.5);
  CHECK(file.attribute_as<std::vector<double>>("pair").empty());
  CHECK(file.dataset("big_endian").read<std::int32_t>() == std::vector<std::int32_t>{1, 2});
  CHECK(says(error_text([&] { file.dataset("text").read<double>(); }),
             "/text: holds string values, want 64-bit float"));
}
