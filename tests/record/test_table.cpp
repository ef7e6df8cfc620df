#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"
#include "odsgd/record/table.hpp"

using namespace odsgd;
using odsgd::test::error_text;

namespace {

using Rows = std::vector<std::vector<Cell>>;
using Type = ColumnSpec::Type;

const std::vector<ColumnSpec> kTwo{{"step", "steps", "steps done", Type::kInteger},
                                   {"loss", "nats", "mean loss", Type::kReal}};

Cell integer(std::int64_t value) { return value; }

}  // namespace

TEST_CASE("a table of two columns comes back, with its units and descriptions") {
  const test::TemporaryDirectory directory;
  Rows rows;
  for (int i = 0; i < 600; ++i) rows.push_back({integer(i), 1.0 / (i + 1)});  // three pieces
  {
    h5::File file = h5::File::create(directory.file("a.h5"));
    Table table(file, "train", "progress", kTwo);
    for (const auto& row : rows) table.append(row);
    file.close();
  }

  const h5::File file = h5::File::open_read(directory.file("a.h5"));

  CHECK(read_table(file.group("train"), kTwo) == rows);
  CHECK(file.group("train").attribute_as<std::string>("description") == "progress");
  CHECK(file.dataset("train/step").attribute_as<std::string>("units") == "steps");
  CHECK(file.dataset("train/loss").attribute_as<std::string>("description") == "mean loss");
  CHECK(file.dataset("train/step").stored_type() == "64-bit integer");
  CHECK(file.dataset("train/loss").stored_type() == "64-bit float");
}

TEST_CASE("a table has the rows of its shortest column") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  h5::Group group = file.create_group("train");
  h5::Dataset step = group.create_extendible("step", h5::Type::kInt64, {}, 4);
  h5::Dataset loss = group.create_extendible("loss", h5::Type::kDouble, {}, 4);
  const std::vector<std::int64_t> steps{1, 2, 3};
  step.append(std::span(steps));
  CHECK(read_table(group, kTwo).empty());

  const std::vector<double> losses{0.5, 0.25};
  loss.append(std::span(losses));

  CHECK(read_table(group, kTwo) == Rows{{integer(1), 0.5}, {integer(2), 0.25}});
  loss.append(std::span(losses));
  CHECK(read_table(group, kTwo) == Rows{{integer(1), 0.5}, {integer(2), 0.25}, {integer(3), 0.5}});
}

TEST_CASE("overwriting replaces the first rows and appends the others") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  Table table(file, "t", "", kTwo);
  table.append(std::vector<Cell>{integer(0), 0.5});
  table.append(std::vector<Cell>{integer(1), 0.5});

  const Rows rows{{integer(7), 1.5}, {integer(8), 2.5}, {integer(9), 3.5}};
  table.overwrite(rows);
  CHECK(read_table(file.group("t"), kTwo) == rows);

  table.append(std::vector<Cell>{integer(10), 4.5});
  CHECK(read_table(file.group("t"), kTwo).size() == 4);
}

TEST_CASE("many rows are appended at once, behind those that are there") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  Table table(file, "t", "", kTwo);
  table.append(std::vector<Cell>{integer(0), 0.5});

  table.append(Rows{{integer(1), 1.5}, {integer(2), 2.5}});
  table.append(Rows{});
  table.append(std::vector<Cell>{integer(3), 3.5});

  CHECK(read_table(file.group("t"), kTwo) ==
        Rows{{integer(0), 0.5}, {integer(1), 1.5}, {integer(2), 2.5}, {integer(3), 3.5}});
  CHECK(error_text([&] {
          table.append(Rows{{integer(4), 4.5}, {integer(5)}});
        }) == directory.file("a.h5") + ": /t: got a row of 1 cells, want 2");
  CHECK(file.dataset("t/step").rows() == 4);
}

TEST_CASE("a later column that is missing reads as 0 or NaN") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  Table table(file, "t", "", kTwo);
  table.append(std::vector<Cell>{integer(7), 0.5});
  std::vector<ColumnSpec> more = kTwo;
  more.push_back({"count", "1", "", Type::kInteger, false, true});
  more.push_back({"time", "s", "", Type::kReal, true, true});

  const Rows rows = read_table(file.group("t"), more);

  REQUIRE(rows.size() == 1);
  CHECK(rows[0][0] == integer(7));
  CHECK(rows[0][2] == integer(0));
  CHECK(std::isnan(std::get<double>(rows[0][3])));
}

TEST_CASE("a row with other columns or types is refused whole") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  Table table(file, "t", "", kTwo);
  const std::string where = directory.file("a.h5") + ": /t";

  CHECK(error_text([&] { table.append(std::vector<Cell>{integer(0)}); }) ==
        where + ": got a row of 1 cells, want 2");
  CHECK(error_text([&] {
          table.append(std::vector<Cell>{integer(0), integer(0)});
        }) == where + "/loss: got an integer, want 64-bit float");
  CHECK(file.dataset("t/step").rows() == 0);
}

TEST_CASE("a missing column, and one of another type or rank, are errors") {
  const test::TemporaryDirectory directory;
  h5::File file = h5::File::create(directory.file("a.h5"));
  h5::Group group = file.create_group("t");
  group.create_extendible("step", h5::Type::kDouble, {}, 4);
  const std::string where = directory.file("a.h5") + ": /t/";

  CHECK(error_text([&] { read_table(group, kTwo); }) == where + "loss: there is no such data set");
  group.create_extendible("loss", h5::Type::kDouble, {3}, 4);
  CHECK(error_text([&] { read_table(group, kTwo); }) == where + "loss: has shape (0, 3), want (0)");
}
