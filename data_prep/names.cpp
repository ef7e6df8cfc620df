#include "names.hpp"

#include <algorithm>
#include <cstdint>

#include "odsgd/base/error.hpp"

namespace odsgd::prep {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Length of the UTF-8 sequence that begins with this byte; 0: none does.
std::size_t utf8_length(std::uint8_t lead) {
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead < 0xE0U) return 2;
  if (lead >= 0xE0U && lead < 0xF0U) return 3;
  if (lead >= 0xF0U && lead < 0xF5U) return 4;
  return 0;
}

/// Every sequence has its length; good enough to keep other encodings out.
bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(static_cast<std::uint8_t>(text.front()));
    if (length == 0 || length > text.size()) return false;
    const auto rest = text.substr(1, length - 1);
    const auto continues = [](char c) { return (static_cast<std::uint8_t>(c) & 0xC0U) == 0x80U; };
    if (!std::all_of(rest.begin(), rest.end(), continues)) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

std::string fault_of_name(std::string_view name) {
  const auto is_control = [](char c) { return static_cast<std::uint8_t>(c) < 0x20U || c == 0x7F; };
  if (trim(name).empty()) return "is empty";
  if (std::any_of(name.begin(), name.end(), is_control)) return "has control characters";
  if (!is_utf8(name)) return "is not UTF-8";
  return "";
}

std::vector<std::string> split_names(std::string_view list, std::string_view subject) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.size(), list.find(',', begin));
    const std::string name(trim(list.substr(begin, end - begin)));
    const std::string fault = fault_of_name(name);
    ODSGD_REQUIRE(fault.empty(), "{}: name {} {}, want names separated by commas", subject,
                  names.size() + 1, fault);
    const auto twin = std::find(names.begin(), names.end(), name);
    ODSGD_REQUIRE(twin == names.end(), "{}: got '{}' as names {} and {}, want different names",
                  subject, name, twin - names.begin() + 1, names.size() + 1);
    names.push_back(name);
    begin = end + 1;
  }
  return names;
}

}  // namespace odsgd::prep
