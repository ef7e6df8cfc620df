#include "parse_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace odsgd {
namespace {

/// The library's own text, which may span lines.
std::string plain_text(const CLI::ParseError& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string text_of(const CLI::ParseError& error, const CLI::App& app) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    // Behind an unknown option its value is left over too: the option is the cause.
    const std::vector<std::string> extras = app.remaining();
    const auto option = std::find_if(extras.begin(), extras.end(),
                                     [](const std::string& text) { return text.starts_with('-'); });
    if (option != extras.end()) return fmt::format("{}: is no option", *option);
    return fmt::format("{}: is one argument too many", extras.at(0));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string text = plain_text(error);
    const std::string name = text.substr(0, text.find(':'));
    if (text.ends_with(" missing")) return fmt::format("{}: got nothing, want a value", name);
    return fmt::format("{}: got several values, want one", name);
  }
  if (dynamic_cast<const CLI::FileError*>(&error) != nullptr)
    return fmt::format("--config: cannot read {}, want a TOML file",
                       app["--config"]->as<std::string>());
  return plain_text(error);
}

}  // namespace odsgd
