#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace odsgd::prep {

/// Names what a file holds instead of data, by its first bytes, for an error text: e.g. "a web page
/// (did the download fail?)". Nothing when it cannot tell.
std::optional<std::string> name_foreign_content(std::span<const std::uint8_t> head);

/// Length of `head` that is enough.
inline constexpr std::size_t kForeignHead = 64;

}  // namespace odsgd::prep
