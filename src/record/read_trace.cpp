#include "read_trace.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "odsgd/base/error.hpp"
#include "trace_format.hpp"

namespace odsgd {
namespace {

using nlohmann::json;

/// Depth of an event in {"traceEvents": [event]}.
constexpr int kEventDepth = 2;

TraceHeader header_of(const json& other, const std::string& path) {
  const auto format = other.at("format").get<std::string>();
  ODSGD_REQUIRE(format == trace_format::kTrace, "{}: got format {}, want {}", path, format,
                trace_format::kTrace);
  const auto version = other.at("format_version").get<std::int64_t>();
  ODSGD_REQUIRE(version == trace_format::kVersion, "{}: got format version {}, want {}", path,
                version, trace_format::kVersion);
  return {.identity = {.rank = other.at("rank").get<int>(),
                       .ranks = other.at("ranks").get<int>(),
                       .role = other.at("role").get<std::string>(),
                       .host = other.at("host").get<std::string>(),
                       .run_id = other.at("run_id").get<std::string>()},
          .dropped = other.at("dropped").get<std::int64_t>(),
          .clock_uncertainty_s = other.at("clock_uncertainty_us").get<double>() * 1e-6};
}

}  // namespace

TraceHeader read_trace(const std::string& path, const std::function<void(const json& event)>& use) {
  std::ifstream in(path, std::ios::binary);
  ODSGD_REQUIRE(in.is_open(), "{}: cannot be read, want the trace of a rank", path);
  const auto use_and_forget = [&](int depth, json::parse_event_t event, const json& parsed) {
    if (depth != kEventDepth || event != json::parse_event_t::object_end) return true;
    use(parsed);
    return false;
  };
  try {
    const json root = json::parse(in, use_and_forget);
    ODSGD_REQUIRE(root.at("traceEvents").is_array(), "{}: got no list as traceEvents, want one",
                  path);
    return header_of(root.at("otherData"), path);
  } catch (const json::exception& error) {
    fail("{}: is not a trace of odsgd, or not a whole one ({})", path, error.what());
  } catch (const std::ios_base::failure& error) {  // from the stream's buffer
    fail("{}: cannot be read: {}", path, error.code().message());
  }
}

}  // namespace odsgd
