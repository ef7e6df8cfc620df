#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/workplace.hpp"
#include "odsgd/record/chrome_trace.hpp"

using namespace odsgd;
using namespace odsgd::test;
using nlohmann::json;

namespace {

/// Adds the traces of a server and a worker, each busy for half a second, as the directory `trace`.
void write_traces(const Workplace& place) {
  std::filesystem::create_directory(place.file("trace"));
  for (const int rank : {0, 1}) {
    Timeline timeline;
    timeline.add({.begin_s = 10,
                  .end_s = 10.5,
                  .label = timeline.label("work"),
                  .lane = rank == 0 ? Lane::kServer : Lane::kCompute});
    write_chrome_trace(place.file("trace/" + trace_file_name(rank)),
                       {.rank = rank,
                        .ranks = 2,
                        .role = rank == 0 ? "server 0" : "worker 0",
                        .host = "n17",
                        .run_id = "4f2a"},
                       timeline, {});
  }
}

void check_fails(const Workplace& place, const Words& arguments, int exit_code,
                 const std::string& want) {
  const auto before = place.contents();
  const Outcome outcome = place.run(odsgd_command(arguments));
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.out == "");
  CHECK(outcome.err == "odsgd: " + want + "\n");
  CHECK(place.contents() == before);
}

}  // namespace

TEST_CASE("info --trace: joins the traces to one file, prints the table and how to look at it") {
  const Workplace place;
  write_traces(place);

  const Outcome outcome = place.run(odsgd_command({"info", "--trace", "trace"}));

  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out.starts_with("trace/trace.json: trace of run 4f2a, 2 spans of 2 ranks\n"));
  CHECK(outcome.out.find("\n     1 worker 0        1    0.000    0.500    0.500 ") !=
        std::string::npos);
  CHECK(outcome.out.ends_with(
      "look at it: open https://ui.perfetto.dev and drop trace/trace.json on the page\n"));
  std::ifstream in(place.file("trace/trace.json"));
  CHECK(json::parse(in).at("otherData").at("ranks") == 2);
}

TEST_CASE("info --trace --json: prints one object, also the second time") {
  const Workplace place;
  write_traces(place);

  const Outcome first = place.run(odsgd_command({"info", "--json", "--trace", "trace/"}));
  const Outcome second = place.run(odsgd_command({"info", "--json", "--trace", "trace/"}));

  CHECK(first.exit_code == 0);
  CHECK(second.out == first.out);
  const json parsed = json::parse(first.out);
  CHECK(parsed.at("path") == "trace/trace.json");
  CHECK(parsed.at("ranks").at(0).at("busy_s").at("server").get<double>() == doctest::Approx(0.5));
}

TEST_CASE("info --trace: it and a file exclude one another, and faults are named") {
  const Workplace place;
  write_traces(place);
  const std::string help = " (see odsgd info --help)";

  check_fails(place, {"info"}, 2,
              "file: got nothing, want a data file, a run.h5, or --trace DIR" + help);
  check_fails(place, {"info", "tiny.h5", "--trace", "trace"}, 2,
              "--trace: got also the file tiny.h5, want one of the two" + help);
  check_fails(place, {"info", "--trace", "trace", "--model", "lenet"}, 2,
              "--model: got also --trace, want it with a data file" + help);
  check_fails(place, {"info", "--trace", ""}, 2, "--trace: got nothing, want a directory" + help);
  check_fails(place, {"info", "--trace", "missing"}, 1,
              "missing: is not a directory, want that of a trace");
  check_fails(place, {"info", "--trace", "exists"}, 1,
              "exists: got no rank-0000.json, want the traces of a run");
  std::filesystem::remove(place.file("trace/rank-0001.json"));
  check_fails(place, {"info", "--trace", "trace"}, 1,
              "trace/rank-0001.json: is missing, want a trace of every rank");
}
