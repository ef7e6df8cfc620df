#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "record/sample_trace.hpp"

using namespace odsgd;
using namespace odsgd::test;
using nlohmann::json;

namespace {

/// Writes a timeline of rank 1 and reads the file as any JSON reader would.
json written(const Timeline& timeline, const ClockMap& clock = {}) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("rank-0001.json");
  write_chrome_trace(path, sample_identity(), timeline, sample_keys(), clock);
  CHECK_FALSE(std::filesystem::exists(path + ".part"));
  return read_json(path);
}

json sample() {
  Timeline timeline;
  add_sample_spans(timeline);
  return written(timeline);
}

/// Thread number to its name.
std::map<int, std::string> thread_names(const json& trace) {
  std::map<int, std::string> names;
  for (const json& event : events_of(trace, "M", {{"name", "thread_name"}}))
    names[event.at("tid").get<int>()] = event.at("args").at("name").get<std::string>();
  return names;
}

/// "track: event at time+duration", in us since 10 s, in the order of the file.
std::vector<std::string> drawn(const json& trace) {
  const auto names = thread_names(trace);
  std::vector<std::string> list;
  for (const json& event : events_of(trace, "X")) {
    list.push_back(fmt::format("{}: {} {}+{}", names.at(event.at("tid").get<int>()),
                               event.at("name").get<std::string>(),
                               event.at("ts").get<double>() - 1e7, event.at("dur").get<double>()));
  }
  return list;
}

void add_span(Timeline& timeline, Lane lane, double begin_s, double end_s) {
  timeline.add(
      {.begin_s = 10 + begin_s, .end_s = 10 + end_s, .label = timeline.label("s"), .lane = lane});
}

}  // namespace

TEST_CASE("trace: every event has the fields that Perfetto and chrome://tracing require") {
  const json trace = sample();

  CHECK(trace.at("displayTimeUnit") == "ns");
  REQUIRE(trace.at("traceEvents").is_array());
  for (const json& event : trace.at("traceEvents")) {
    CAPTURE(event.dump());
    CHECK(event.at("name").is_string());
    CHECK(event.at("pid") == 2);  // 0 is Linux's idle process
    const auto ph = event.at("ph").get<std::string>();
    if (ph == "X") {
      CHECK(event.at("cat").is_string());
      CHECK(event.at("tid").is_number_unsigned());
      CHECK(event.at("ts").is_number());
      CHECK(event.at("dur").get<double>() >= 0);
      CHECK(event.at("args").at("step") == 7);
    } else {
      CHECK(ph == "M");
      CHECK(event.at("args").size() == 1);
    }
  }
  CHECK(events_of(trace, "X").size() == 7);
}

TEST_CASE("trace: a span is one complete event with lane, microseconds, step and key") {
  const json trace = sample();

  const auto waits = events_of(trace, "X", {{"cat", "wait"}});
  REQUIRE(waits.size() == 1);
  CHECK(waits[0] == json{{"ph", "X"},
                         {"name", "wait"},
                         {"cat", "wait"},
                         {"pid", 2},
                         {"tid", 21000},
                         {"ts", 11000000.0},
                         {"dur", 500000.0},
                         {"args", {{"step", 7}, {"key", "conv1_weight"}}}});
  const auto forward = events_of(trace, "X", {{"name", "forward"}});
  REQUIRE(forward.size() == 1);
  CHECK(forward[0].at("args") == json{{"step", 7}});
}

TEST_CASE("trace: the process is the rank, its tracks are the lanes, sorted") {
  const json trace = sample();

  const auto process = events_of(trace, "M", {{"name", "process_name"}});
  REQUIRE(process.size() == 1);
  CHECK(process[0].at("args").at("name") == "rank 1 (worker 0) on n17");
  const auto sort = events_of(trace, "M", {{"name", "process_sort_index"}});
  REQUIRE(sort.size() == 1);
  CHECK(sort[0].at("args").at("sort_index") == 2);
  CHECK(thread_names(trace) == std::map<int, std::string>{{20000, "compute"},
                                                          {21000, "wait"},
                                                          {23000, "push"},
                                                          {23001, "push 2"},
                                                          {24000, "pull"}});
  for (const json& event : events_of(trace, "M", {{"name", "thread_sort_index"}}))
    CHECK(event.at("args").at("sort_index") == event.at("tid"));
}

TEST_CASE("trace: parts stay within their whole, and pushes under way at once get own tracks") {
  CHECK(drawn(sample()) ==
        std::vector<std::string>{"compute: forward 0+1000000", "compute: part 250000+250000",
                                 "push: push 1000000+1000000", "wait: wait 1000000+500000",
                                 "compute: backward 1500000+1500000", "push 2: push 1750000+750000",
                                 "pull: pull 2250000+750000"});
}

TEST_CASE("trace: a push within another is no part of it, and a free track is used again") {
  Timeline timeline;
  for (const Lane lane : {Lane::kPush, Lane::kServer, Lane::kUpdate}) {
    add_span(timeline, lane, 0, 4);
    add_span(timeline, lane, 1, 2);
    add_span(timeline, lane, 2, 3);
    add_span(timeline, lane, 4, 5);
  }
  std::map<std::string, int> spans;
  const json trace = written(timeline);
  const auto names = thread_names(trace);
  for (const json& event : events_of(trace, "X")) ++spans[names.at(event.at("tid").get<int>())];

  CHECK(spans == std::map<std::string, int>{
                     {"push", 2}, {"push 2", 2}, {"server", 2}, {"server 2", 2}, {"update", 4}});
}

TEST_CASE("trace: spans that overlap in part never share a track") {
  Timeline timeline;
  add_span(timeline, Lane::kCompute, 0, 2);
  add_span(timeline, Lane::kCompute, 1, 3);
  add_span(timeline, Lane::kCompute, 1, 4);
  add_span(timeline, Lane::kCompute, 1.5, 1.75);

  CHECK(drawn(written(timeline)) ==
        std::vector<std::string>{"compute: s 0+2000000", "compute 2: s 1000000+3000000",
                                 "compute 2: s 1000000+2000000", "compute: s 1500000+250000"});
}

TEST_CASE("trace: spans that touch do so in the file too, whatever the rounding") {
  Timeline timeline;
  for (int i = 0; i < 1000; ++i) add_span(timeline, Lane::kPush, i / 7e5, (i + 1) / 7e5);

  const json trace = written(timeline, {.remote_s = 10, .reference_s = 10, .rate = 1.00001});

  CHECK(thread_names(trace).size() == 1);
  const auto events = events_of(trace, "X");
  REQUIRE(events.size() == 1000);
  const auto ns = [](const json& us) { return std::llround(us.get<double>() * 1000); };
  bool all_touch = true;
  for (std::size_t i = 1; i < events.size(); ++i) {
    const auto end = ns(events[i - 1].at("ts")) + ns(events[i - 1].at("dur"));
    all_touch = all_touch && end == ns(events[i].at("ts"));
  }
  CHECK(all_touch);
}

TEST_CASE("trace: times are the reference rank's, to the nanosecond") {
  Timeline timeline;
  add_span(timeline, Lane::kCompute, 0, 0.5);
  const ClockMap clock{
      .remote_s = 8, .reference_s = 1'000'000, .rate = 1.25, .uncertainty_s = 2e-6};

  const json trace = written(timeline, clock);

  const auto events = events_of(trace, "X");
  REQUIRE(events.size() == 1);
  CHECK(events[0].at("ts") == 1000002500000.0);  // 1000000 s + (10 - 8) * 1.25 s
  CHECK(events[0].at("dur") == 625000.0);
  CHECK(trace.at("otherData").at("clock_uncertainty_us") == doctest::Approx(2));
}

TEST_CASE("trace: the file says whose it is and how many spans it lacks") {
  Timeline timeline(5);
  add_sample_spans(timeline);

  json other = written(timeline).at("otherData");

  other.erase("clock_uncertainty_us");
  CHECK(other == json{{"format", "odsgd trace"},
                      {"format_version", 1},
                      {"run_id", "4f2a"},
                      {"rank", 1},
                      {"ranks", 2},
                      {"role", "worker 0"},
                      {"host", "n17"},
                      {"dropped", 2}});
}

TEST_CASE("trace: names need not be plain") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("odd.json");
  Timeline timeline;
  timeline.add({.key = 0, .label = timeline.label("a \"b\"\\\n{}\xe9")});

  write_chrome_trace(path, {.role = "w\"", .host = "h\t"}, timeline,
                     std::vector<std::string>{"{0}\""});

  const json trace = read_json(path);
  const auto events = events_of(trace, "X");
  REQUIRE(events.size() == 1);
  CHECK(events[0].at("name") == "a \"b\"\\\n{}\xef\xbf\xbd");
  CHECK(events[0].at("args").at("key") == "{0}\"");
  CHECK(events_of(trace, "M")[0].at("args").at("name") == "rank 0 (w\") on h\t");
}

TEST_CASE("trace: an empty timeline makes a trace without spans") {
  const json trace = written(Timeline());

  CHECK(events_of(trace, "X").empty());
  CHECK(events_of(trace, "M").size() == 2);
}

TEST_CASE("trace: a file that cannot be written is an error that names it, and nothing stays") {
  const TemporaryDirectory directory;
  Timeline timeline;
  add_sample_spans(timeline);
  const auto error_at = [&](const std::string& path, const std::vector<std::string>& keys) {
    return error_text([&] { write_chrome_trace(path, sample_identity(), timeline, keys); });
  };

  const std::string nowhere = directory.file("missing/rank-0001.json");
  CHECK(error_at(nowhere, sample_keys()) ==
        nowhere + ": cannot be written: No such file or directory");
  const std::string taken = directory.file("taken");
  std::filesystem::create_directory(taken);
  CHECK(error_at(taken, sample_keys()) == taken + ": cannot be written: Is a directory");
  const std::string short_of_keys = directory.file("keys.json");
  CHECK(error_at(short_of_keys, {"conv1_weight"}) ==
        short_of_keys + ": got a span of key 1, want one of 1 keys");
  const std::filesystem::directory_iterator left(directory.path());
  CHECK(std::distance(begin(left), end(left)) == 1);  // "taken"
}

TEST_CASE("trace: a full disk is an error") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("rank-0001.json");
  std::filesystem::create_symlink("/dev/full", path + ".part");
  Timeline timeline;
  add_sample_spans(timeline);

  CHECK(error_text([&] { write_chrome_trace(path, sample_identity(), timeline, sample_keys()); }) ==
        path + ": cannot be written: No space left on device");
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("trace: file names sort like the ranks") {
  CHECK(trace_file_name(3) == "rank-0003.json");
  CHECK(trace_file_name(12345) == "rank-12345.json");
}
