#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "odsgd/record/chrome_trace.hpp"

namespace odsgd {

/// What a trace file says of itself.
struct TraceHeader {
  TraceIdentity identity{};
  std::int64_t dropped = 0;
  double clock_uncertainty_s = 0;
};

/// Reads a file of write_chrome_trace() and shows each element of traceEvents to `use`, one at a
/// time: the file's content is never in memory as a whole. Throws Error, which names the file, when
/// it is none of that format; `use` may have seen some events then, and may throw by itself.
TraceHeader read_trace(const std::string& path,
                       const std::function<void(const nlohmann::json& event)>& use);

}  // namespace odsgd
