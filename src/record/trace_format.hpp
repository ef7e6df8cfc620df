#pragma once

#include <cstdint>

/// Names that the writer and the reader of trace files share.
namespace odsgd::trace_format {

constexpr const char* kTrace = "odsgd trace";
constexpr const char* kMergedTrace = "odsgd merged trace";
constexpr std::int64_t kVersion = 1;

/// Perfetto keeps process 0 for what runs on an idle processor.
constexpr int process_of_rank(int rank) { return rank + 1; }

}  // namespace odsgd::trace_format
