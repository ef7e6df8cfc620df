#pragma once

#include <cstdint>

namespace odsgd::data_format {

// What marks a data file: attributes of its root that odsgd-prep writes and Dataset checks
// (docs/file-formats.md).
inline constexpr const char* kFormat = "odsgd-data";
inline constexpr std::int64_t kVersion = 1;
inline constexpr const char* kLayout = "NCHW";

}  // namespace odsgd::data_format
