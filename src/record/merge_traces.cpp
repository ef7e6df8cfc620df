#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include "covered_time.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/record/overlap.hpp"
#include "odsgd/record/trace_summary.hpp"
#include "read_trace.hpp"
#include "replaced_file.hpp"
#include "trace_format.hpp"

namespace odsgd {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

Lane lane_of(std::string_view name, const std::string& path) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (lane_name(static_cast<Lane>(i)) == name) return static_cast<Lane>(i);
  }
  fail("{}: got a span of category {}, want a lane such as {}", path, name,
       lane_name(Lane::kCompute));
}

/// Gathers the spans of one rank. Only the intervals are kept.
class RankSums {
 public:
  explicit RankSums(std::string path) : path_(std::move(path)) {}

  void add(const json& event) {
    if (event.at("ph") != "X") return;
    const auto us_to_ns = [](double us) { return std::llround(us * 1e3); };
    const std::int64_t begin_ns = us_to_ns(event.at("ts").get<double>());
    const std::int64_t end_ns = begin_ns + us_to_ns(event.at("dur").get<double>());
    const Lane lane = lane_of(event.at("cat").get<std::string>(), path_);
    intervals_.at(static_cast<std::size_t>(lane)).push_back({begin_ns, end_ns});
    first_ns_ = std::min(first_ns_.value_or(begin_ns), begin_ns);
    last_ns_ = std::max(last_ns_.value_or(end_ns), end_ns);
  }

  std::optional<std::int64_t> first_ns() const { return first_ns_; }

  /// Times are not yet relative to the first of all ranks.
  RankTrace sums(const TraceHeader& header) const {
    RankTrace rank{.rank = header.identity.rank,
                   .role = header.identity.role,
                   .host = header.identity.host,
                   .dropped = header.dropped,
                   .first_s = first_ns_ ? seconds(*first_ns_) : kNone,
                   .last_s = last_ns_ ? seconds(*last_ns_) : kNone,
                   .clock_uncertainty_s = header.clock_uncertainty_s};
    for (std::size_t i = 0; i < kLanes; ++i) {
      rank.spans += static_cast<std::int64_t>(intervals_[i].size());
      rank.busy_s[i] = seconds(covered_ns(intervals_[i]));
    }
    std::vector<Interval> messages = of(Lane::kPush);
    messages.insert(messages.end(), of(Lane::kPull).begin(), of(Lane::kPull).end());
    rank.in_flight_s = seconds(covered_ns(std::move(messages)));
    rank.hidden_share =
        hidden_share(rank.busy_s[static_cast<std::size_t>(Lane::kWait)], rank.in_flight_s);
    return rank;
  }

 private:
  const std::vector<Interval>& of(Lane lane) const {
    return intervals_.at(static_cast<std::size_t>(lane));
  }

  std::string path_;
  std::array<std::vector<Interval>, kLanes> intervals_;
  std::optional<std::int64_t> first_ns_;
  std::optional<std::int64_t> last_ns_;
};

/// The ranks of which the directory has a file.
std::set<int> ranks_in(const std::string& directory) {
  std::error_code error;
  ODSGD_REQUIRE(fs::is_directory(directory, error), "{}: is not a directory, want that of a trace",
                directory);
  static const std::regex pattern("rank-([0-9]{4,9})\\.json");
  std::set<int> ranks;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    std::smatch match;
    if (std::regex_match(name, match, pattern)) ranks.insert(std::stoi(match[1]));
  }
  ODSGD_REQUIRE(!ranks.empty(), "{}: got no {}, want the traces of a run", directory,
                trace_file_name(0));
  return ranks;
}

/// Whether this file is that of rank `rank`, and of the same run as rank 0's.
void check_identity(const std::string& path, int rank, const TraceIdentity& found,
                    const TraceIdentity& first) {
  ODSGD_REQUIRE(found.rank == rank, "{}: got the trace of rank {}, want that of rank {}", path,
                found.rank, rank);
  ODSGD_REQUIRE(found.run_id == first.run_id,
                "{}: got run {}, want {} as in {} (a file of an older run?)", path, found.run_id,
                first.run_id, trace_file_name(0));
  ODSGD_REQUIRE(found.ranks == first.ranks, "{}: got a run of {} ranks, want {} as in {}", path,
                found.ranks, first.ranks, trace_file_name(0));
}

/// The merged file.
class MergedTrace {
 public:
  explicit MergedTrace(const std::string& path) : file_(path) {
    file_.write(R"({"displayTimeUnit":"ns","traceEvents":[)");
  }

  void add(const json& event) {
    file_.write(is_first_ ? "\n" : ",\n");
    file_.write(event.dump());
    is_first_ = false;
  }

  void finish(const TraceIdentity& first) {
    const json header{{"format", trace_format::kMergedTrace},
                      {"format_version", trace_format::kVersion},
                      {"run_id", first.run_id},
                      {"ranks", first.ranks}};
    file_.write(fmt::format("\n],\"otherData\":{}}}\n", header.dump()));
    file_.finish();
  }

 private:
  ReplacedFile file_;
  bool is_first_ = true;
};

}  // namespace

TraceSummary merge_chrome_traces(const std::string& directory, const std::string& output) {
  const std::set<int> present = ranks_in(directory);
  const auto path_of = [&](int rank) {
    return (fs::path(directory) / trace_file_name(rank)).string();
  };
  TraceSummary summary{.path = output};
  MergedTrace merged(output);
  TraceIdentity first{.ranks = 1};
  std::optional<std::int64_t> first_ns;
  for (int rank = 0; rank < first.ranks; ++rank) {
    const std::string path = path_of(rank);
    ODSGD_REQUIRE(present.contains(rank), "{}: is missing, want a trace of every rank", path);
    RankSums sums(path);
    const TraceHeader header = read_trace(path, [&](const json& event) {
      sums.add(event);
      merged.add(event);
    });
    if (rank == 0) first = header.identity;
    check_identity(path, rank, header.identity, first);
    summary.ranks.push_back(sums.sums(header));
    if (sums.first_ns()) first_ns = std::min(first_ns.value_or(*sums.first_ns()), *sums.first_ns());
  }
  ODSGD_REQUIRE(*present.rbegin() < first.ranks, "{}: got a file of rank {}, want {} ranks only",
                path_of(*present.rbegin()), *present.rbegin(), first.ranks);
  summary.run_id = first.run_id;
  for (RankTrace& rank : summary.ranks) {
    rank.first_s -= seconds(first_ns.value_or(0));
    rank.last_s -= seconds(first_ns.value_or(0));
  }
  merged.finish(first);
  return summary;
}

}  // namespace odsgd
