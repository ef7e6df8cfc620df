#pragma once

#include <cstdint>

/// Names that the writer and the reader of run logs share.
namespace odsgd::format {

constexpr const char* kFormat = "format";
constexpr const char* kRunLog = "odsgd run log";
constexpr const char* kVersionName = "format_version";
constexpr std::int64_t kVersion = 2;
constexpr const char* kStatus = "status";
constexpr const char* kIsBenchmark = "is_benchmark";
constexpr const char* kToml = "toml";

}  // namespace odsgd::format
