#include "config_file.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>

#include "usage_error.hpp"

namespace odsgd {
namespace {

/// The value as it would stand on the command line; nothing for what cannot: arrays, tables, dates.
std::optional<std::string> text_of(const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* number = value.as_integer()) return fmt::to_string(number->get());
  if (const auto* number = value.as_floating_point()) return fmt::to_string(number->get());
  if (const auto* truth = value.as_boolean()) return truth->get() ? "true" : "false";
  return std::nullopt;
}

toml::table parse(std::istream& in, const std::string& file) {
  try {
    return toml::parse(in, file);
  } catch (const toml::parse_error& error) {
    throw UsageError(
        fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
  }
}

}  // namespace

std::vector<ConfigEntry> read_config(std::istream& in, const std::string& file) {
  const toml::table table = parse(in, file);
  std::vector<ConfigEntry> entries;
  for (const auto& [key, value] : table) {
    const auto line = static_cast<int>(key.source().begin.line);
    auto text = text_of(value);
    if (!text) {
      throw UsageError(fmt::format("{}:{}: {}: got a {}, want a string, a number, true or false",
                                   file, line, key.str(),
                                   value.is_table()   ? "table"
                                   : value.is_array() ? "list"
                                                      : "date"));
    }
    entries.push_back({std::string(key.str()), std::move(*text), line});
  }
  std::sort(entries.begin(), entries.end(),
            [](const ConfigEntry& a, const ConfigEntry& b) { return a.line < b.line; });
  return entries;
}

}  // namespace odsgd
