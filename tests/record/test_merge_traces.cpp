#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/record/trace_summary.hpp"
#include "record/sample_trace.hpp"

using namespace odsgd;
using namespace odsgd::test;
using nlohmann::json;

namespace {

/// The traces of a server, busy from 1.5 s before the sample's begin to 0.5 s before it and at
/// 1 to 1.25, and of the sample's worker.
class Traces {
 public:
  Traces() {
    server_.add(
        {.begin_s = 8.5, .end_s = 9.5, .label = server_.label("round"), .lane = Lane::kServer});
    server_.add(
        {.begin_s = 11, .end_s = 11.25, .label = server_.label("round"), .lane = Lane::kServer});
    add_sample_spans(worker_);
    write(sample_identity(0), server_);
    write(sample_identity(1), worker_);
  }

  void write(const TraceIdentity& identity, const Timeline& timeline) const {
    write_chrome_trace(rank_file(identity.rank), identity, timeline, sample_keys(),
                       {.uncertainty_s = identity.rank * 2.5e-6});
  }
  /// An empty trace as the file of rank 1.
  void write_instead(const TraceIdentity& identity) const {
    write_chrome_trace(rank_file(1), identity, Timeline(), {});
  }

  std::string path() const { return directory_.path(); }
  std::string file(const std::string& name) const { return directory_.file(name); }
  std::string rank_file(int rank) const { return file(trace_file_name(rank)); }
  TraceSummary merge() const { return merge_chrome_traces(path(), file("trace.json")); }
  std::string error() const {
    return error_text([&] { merge(); });
  }

 private:
  TemporaryDirectory directory_;
  Timeline server_;
  Timeline worker_;
};

double busy_s(const RankTrace& rank, Lane lane) {
  return rank.busy_s.at(static_cast<std::size_t>(lane));
}

}  // namespace

TEST_CASE("merged trace: has every event of every rank, unchanged") {
  const Traces traces;

  traces.merge();

  const json merged = read_json(traces.file("trace.json"));
  std::vector<json> want;
  for (const int rank : {0, 1}) {
    const json trace = read_json(traces.rank_file(rank));
    for (const json& event : trace.at("traceEvents")) want.push_back(event);
  }
  CHECK(merged.at("traceEvents") == json(want));
  REQUIRE(want.size() > 9);
  CHECK(events_of(merged, "X", {{"pid", 1}}).size() == 2);
  CHECK(events_of(merged, "X", {{"pid", 2}}).size() == 7);
  CHECK(events_of(merged, "M", {{"name", "process_name"}}).size() == 2);
  CHECK(merged.at("otherData") == json{{"format", "odsgd merged trace"},
                                       {"format_version", 1},
                                       {"run_id", "4f2a"},
                                       {"ranks", 2}});
}

TEST_CASE("merged trace: an older one is replaced, and nothing else is left behind") {
  const Traces traces;
  write_text(traces.file("trace.json"), "old");

  traces.merge();
  traces.merge();

  CHECK(read_json(traces.file("trace.json")).at("traceEvents").size() > 9);
  CHECK_FALSE(std::filesystem::exists(traces.file("trace.json.part")));
}

TEST_CASE("trace summary: times are unions of intervals, from the first span of all ranks") {
  const Traces traces;

  const TraceSummary summary = traces.merge();

  CHECK(summary.path == traces.file("trace.json"));
  CHECK(summary.run_id == "4f2a");
  REQUIRE(summary.ranks.size() == 2);
  const RankTrace& server = summary.ranks[0];
  CHECK(server.rank == 0);
  CHECK(server.role == "server 0");
  CHECK(server.host == "n17");
  CHECK(server.spans == 2);
  CHECK(server.first_s == doctest::Approx(0));
  CHECK(server.last_s == doctest::Approx(2.75));
  CHECK(busy_s(server, Lane::kServer) == doctest::Approx(1.25));
  CHECK(busy_s(server, Lane::kCompute) == 0);
  CHECK(server.in_flight_s == 0);
  CHECK(std::isnan(server.hidden_share));
  CHECK(server.clock_uncertainty_s == 0);

  const RankTrace& worker = summary.ranks[1];
  CHECK(worker.rank == 1);
  CHECK(worker.role == "worker 0");
  CHECK(worker.spans == 7);
  CHECK(worker.first_s == doctest::Approx(1.5));
  CHECK(worker.last_s == doctest::Approx(4.5));
  CHECK(busy_s(worker, Lane::kCompute) == doctest::Approx(2.5));  // the part counts once
  CHECK(busy_s(worker, Lane::kWait) == doctest::Approx(0.5));
  CHECK(busy_s(worker, Lane::kPush) == doctest::Approx(1.5));
  CHECK(busy_s(worker, Lane::kPull) == doctest::Approx(0.75));
  CHECK(busy_s(worker, Lane::kUpdate) == 0);
  CHECK(worker.in_flight_s == doctest::Approx(2));      // 1 to 3 s
  CHECK(worker.hidden_share == doctest::Approx(0.75));  // 1 - 0.5 / 2
  CHECK(worker.clock_uncertainty_s == doctest::Approx(2.5e-6));
}

TEST_CASE("trace summary: what found no room is told of") {
  const Traces traces;
  Timeline timeline(3);
  add_sample_spans(timeline);
  traces.write(sample_identity(1), timeline);

  const TraceSummary summary = traces.merge();

  CHECK(summary.ranks.at(1).spans == 3);
  CHECK(summary.ranks.at(1).dropped == 4);
  CHECK(says(to_text(summary), "  4 later spans found no room in memory and count nowhere\n"));
}

TEST_CASE("merge: a rank that is missing, or one too many, is named") {
  const Traces traces;
  traces.write({.rank = 2, .ranks = 2, .run_id = "4f2a"}, Timeline());
  CHECK(traces.error() == traces.rank_file(2) + ": got a file of rank 2, want 2 ranks only");
  std::filesystem::remove(traces.rank_file(2));

  std::filesystem::remove(traces.rank_file(1));
  CHECK(traces.error() == traces.rank_file(1) + ": is missing, want a trace of every rank");
  traces.write_instead(sample_identity(1));
  std::filesystem::remove(traces.rank_file(0));
  CHECK(traces.error() == traces.rank_file(0) + ": is missing, want a trace of every rank");
  std::filesystem::remove(traces.rank_file(1));
  CHECK(traces.error() == traces.path() + ": got no rank-0000.json, want the traces of a run");
  CHECK(error_text([&] { merge_chrome_traces(traces.file("no"), traces.file("trace.json")); }) ==
        traces.file("no") + ": is not a directory, want that of a trace");
  CHECK_FALSE(std::filesystem::exists(traces.file("trace.json")));
  CHECK_FALSE(std::filesystem::exists(traces.file("trace.json.part")));
}

TEST_CASE("merge: a file of another run or of another rank is named") {
  const Traces traces;
  TraceIdentity other = sample_identity(1);
  other.run_id = "0000";
  traces.write_instead(other);
  CHECK(traces.error() == traces.rank_file(1) +
                              ": got run 0000, want 4f2a as in rank-0000.json (a file of an older "
                              "run?)");
  other = sample_identity(1);
  other.ranks = 3;
  traces.write_instead(other);
  CHECK(says(traces.error(), "rank-0001.json: got a run of 3 ranks, want 2 as in rank-0000.json"));
  traces.write_instead(sample_identity(0));
  CHECK(traces.error() == traces.rank_file(1) + ": got the trace of rank 0, want that of rank 1");
  CHECK_FALSE(std::filesystem::exists(traces.file("trace.json")));
}

TEST_CASE("merge: a file that is no trace, or not a whole one, is named") {
  const Traces traces;
  const json good = read_json(traces.rank_file(1));
  const auto error_with = [&](const std::string& text) {
    write_text(traces.rank_file(1), text);
    return traces.error();
  };
  const auto error_after_setting = [&](const json::json_pointer& place, const json& value) {
    json bad = good;
    bad[place] = value;
    return error_with(bad.dump());
  };
  const std::string no_trace =
      traces.rank_file(1) + ": is not a trace of odsgd, or not a whole one (";
  const std::string good_text = good.dump();

  for (const std::string& text :
       {std::string(), std::string("<html>"), std::string("[]"), std::string("{}"),
        std::string(R"({"traceEvents":[]})"), std::string(R"({"traceEvents":[{"name":"x"}]})"),
        good_text.substr(0, good_text.size() / 2), good_text + good_text}) {
    CAPTURE(text);
    CHECK(says(error_with(text), no_trace));
  }
  CHECK(says(error_after_setting("/otherData/format"_json_pointer, "x"),
             traces.rank_file(1) + ": got format x, want odsgd trace"));
  CHECK(says(error_after_setting("/otherData/format_version"_json_pointer, 2),
             traces.rank_file(1) + ": got format version 2, want 1"));
  CHECK(says(error_after_setting("/traceEvents"_json_pointer, 1),
             traces.rank_file(1) + ": got no list as traceEvents"));
  json bad = good;
  for (json& event : bad["traceEvents"]) {
    if (event.at("ph") == "X") event["cat"] = "sleep";
  }
  CHECK(says(error_with(bad.dump()),
             traces.rank_file(1) + ": got a span of category sleep, want a lane such as compute"));
  for (const char* field : {"ph", "ts", "dur", "cat"}) {
    CAPTURE(field);
    bad = good;
    bad["traceEvents"].back().erase(field);
    CHECK(says(error_with(bad.dump()), no_trace));
  }
  CHECK(error_with(good_text) == "no error");
}

TEST_CASE("merge: a file that cannot be read is named") {
  const Traces traces;
  std::filesystem::remove(traces.rank_file(1));
  std::filesystem::create_directory(traces.rank_file(1));

  CHECK(traces.error() == traces.rank_file(1) + ": cannot be read: Is a directory");
}
