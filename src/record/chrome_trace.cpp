#include "odsgd/record/chrome_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "odsgd/base/error.hpp"
#include "replaced_file.hpp"
#include "trace_format.hpp"
#include "trace_tracks.hpp"

namespace odsgd {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> quoted(std::span<const std::string> texts) {
  std::vector<std::string> list;
  for (const std::string& text : texts) list.push_back(text_of(text));
  return list;
}

/// A span on the reference's clock. Begin and end are rounded each by itself: so spans that touch
/// still do, and none comes to overlap another.
struct PlacedSpan {
  std::int64_t begin_ns;
  std::int64_t end_ns;
  Timeline::Span span;
};

std::int64_t to_ns(double seconds) { return std::llround(seconds * 1e9); }

/// In the order that TraceTracks wants.
std::vector<PlacedSpan> placed(const Timeline& timeline, const ClockMap& clock) {
  std::vector<PlacedSpan> list;
  list.reserve(timeline.size());
  for (const Timeline::Span& span : timeline.spans()) {
    list.push_back({to_ns(clock(span.begin_s)), to_ns(clock(span.end_s)), span});
  }
  std::stable_sort(list.begin(), list.end(), [](const PlacedSpan& a, const PlacedSpan& b) {
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
  });
  return list;
}

/// Unique in the whole trace, as Perfetto expects of threads, and in the order of the lanes. From
/// the 1,000th on, tracks of a lane are drawn over one another.
int thread_of(int process, Lane lane, int sub_track) {
  return process * 10'000 + static_cast<int>(lane) * 1'000 + std::min(sub_track, 999);
}

/// Writes the elements of traceEvents, one a line, gathered to pieces of 64 KiB.
class EventWriter {
 public:
  EventWriter(ReplacedFile& file, int process) : file_(file), process_(process) {}

  void name_process(const std::string& name) {
    add_metadata("process_name", 0, {{"name", name}});
    add_metadata("process_sort_index", 0, {{"sort_index", process_}});
  }

  void add(const PlacedSpan& s, const std::string& quoted_label, const std::string* quoted_key) {
    const int sub_track = tracks_.place(s.span.lane, s.begin_ns, s.end_ns);
    const int thread = thread_of(process_, s.span.lane, sub_track);
    if (named_.insert(thread).second) name_track(thread, s.span.lane, sub_track);
    begin_event();
    format(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},)",
           quoted_label, lane_name(s.span.lane), process_, thread,
           static_cast<double>(s.begin_ns) / 1e3, static_cast<double>(s.end_ns - s.begin_ns) / 1e3);
    format(R"("args":{{"step":{})", s.span.step);
    if (quoted_key != nullptr) format(R"(,"key":{})", *quoted_key);
    format("}}}}");
    if (text_.size() > 65'536) flush();
  }

  void flush() {
    file_.write({text_.data(), text_.size()});
    text_.clear();
  }

 private:
  template <class... Args>
  void format(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<Args>(args)...);
  }

  void begin_event() {
    format("{}", is_first_ ? "\n" : ",\n");
    is_first_ = false;
  }

  void add_metadata(const char* name, int thread, const Json& arguments) {
    Json event{{"ph", "M"}, {"name", name}, {"pid", process_}};
    if (thread != 0) event["tid"] = thread;
    event["args"] = arguments;
    begin_event();
    format("{}", text_of(event));
  }

  void name_track(int thread, Lane lane, int sub_track) {
    const std::string number = sub_track == 0 ? "" : fmt::format(" {}", sub_track + 1);
    add_metadata("thread_name", thread, {{"name", fmt::format("{}{}", lane_name(lane), number)}});
    add_metadata("thread_sort_index", thread, {{"sort_index", thread}});
  }

  ReplacedFile& file_;
  int process_;
  TraceTracks tracks_;
  std::set<int> named_;
  fmt::memory_buffer text_;
  bool is_first_ = true;
};

Json header_of(const TraceIdentity& identity, const Timeline& timeline, const ClockMap& clock) {
  return {{"format", trace_format::kTrace},
          {"format_version", trace_format::kVersion},
          {"run_id", identity.run_id},
          {"rank", identity.rank},
          {"ranks", identity.ranks},
          {"role", identity.role},
          {"host", identity.host},
          {"dropped", timeline.dropped()},
          {"clock_uncertainty_us", clock.uncertainty_s * 1e6}};
}

}  // namespace

std::string trace_file_name(int rank) { return fmt::format("rank-{:04}.json", rank); }

void write_chrome_trace(const std::string& path, const TraceIdentity& identity,
                        const Timeline& timeline, std::span<const std::string> key_names,
                        const ClockMap& clock) {
  const std::vector<std::string> labels = quoted(timeline.labels());
  const std::vector<std::string> keys = quoted(key_names);
  ReplacedFile file(path);
  file.write(fmt::format(R"({{"displayTimeUnit":"ns","otherData":{},"traceEvents":[)",
                         text_of(header_of(identity, timeline, clock))));
  EventWriter events(file, trace_format::process_of_rank(identity.rank));
  events.name_process(
      fmt::format("rank {} ({}) on {}", identity.rank, identity.role, identity.host));
  for (const PlacedSpan& s : placed(timeline, clock)) {
    ODSGD_REQUIRE(s.span.label < labels.size(), "{}: got a span with label {}, want one of {}",
                  path, s.span.label, labels.size());
    ODSGD_REQUIRE(s.span.key == kNoKey || s.span.key < keys.size(),
                  "{}: got a span of key {}, want one of {} keys", path, s.span.key, keys.size());
    events.add(s, labels[s.span.label], s.span.key == kNoKey ? nullptr : &keys[s.span.key]);
  }
  events.flush();
  file.write("\n]}\n");
  file.finish();
}

}  // namespace odsgd
