#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "h5/error_text.hpp"
#include "odsgd/bench/report.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

Report sample_report() {
  Report report("Exchange");
  report.add_fact("host", "n17");
  report.add("memcpy", Samples{{10, 8, 12}}, "GB/s");
  report.add("push and pull", Samples{{2, 4, 3, 1}}, "GB/s", "memcpy");
  report.add("predicted", 0.125, "s");
  return report;
}

}  // namespace

TEST_CASE("report: text is aligned, and a ratio stands beside its limit") {
  CHECK(sample_report().text() ==
        "Exchange\n"
        "  host           n17\n"
        "                    median         min to max\n"
        "  memcpy                10 GB/s    8 to 12\n"
        "  push and pull        2.5 GB/s    1 to 4                0.25 of memcpy (10)\n"
        "  predicted          0.125 s\n");
}

TEST_CASE("report: without repetitions there is no line about them") {
  Report report("Prediction");
  report.add("step", 2, "s");

  CHECK(report.text() == "Prediction\n  step          2 s\n");
}

TEST_CASE("report: json holds the numbers, repetition by repetition, and the limit") {
  const auto json = nlohmann::json::parse(sample_report().json());

  CHECK(json["title"] == "Exchange");
  CHECK(json["facts"] == nlohmann::json{{"host", "n17"}});
  REQUIRE(json["rows"].size() == 3);
  const auto& row = json["rows"][1];
  CHECK(row["name"] == "push and pull");
  CHECK(row["unit"] == "GB/s");
  CHECK(row["median"] == 2.5);
  CHECK(row["min"] == 1);
  CHECK(row["max"] == 4);
  CHECK(row["samples"] == std::vector<double>{2, 4, 3, 1});
  CHECK(row["limit"] == nlohmann::json{{"name", "memcpy"}, {"median", 10}, {"ratio", 0.25}});
  CHECK(json["rows"][2]["limit"] == nullptr);
  CHECK(json["rows"][2]["samples"] == std::vector<double>{0.125});
}

TEST_CASE("report: what is no number stays readable") {
  Report report("r");
  report.add("rate", std::numeric_limits<double>::infinity(), "1/s");

  CHECK(says(report.text(), "inf 1/s"));
  CHECK(nlohmann::json::parse(report.json())["rows"][0]["median"] == nullptr);
}

TEST_CASE("report: a limit that is not there or in another unit, and a name twice, are errors") {
  Report report = sample_report();
  CHECK(error_text([&] { report.add("x", 1, "s", "y"); }) ==
        "report: x: got the limit 'y', want an earlier row");
  CHECK(error_text([&] { report.add("x", 1, "s", "memcpy"); }) ==
        "report: x: got a limit in GB/s, want one in s");
  CHECK(error_text([&] { report.add("memcpy", 1, "s"); }) ==
        "report: memcpy: the name is used twice");
  CHECK(error_text([&] { report.add("x", Samples{}, "s"); }) ==
        "report: x: got no values, want at least one");
}
