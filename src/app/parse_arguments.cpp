#include "parse_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "config_reader.hpp"
#include "parse_error.hpp"
#include "usage_error.hpp"

namespace odsgd {

std::optional<std::string> parse_arguments(CLI::App& app, std::vector<std::string> arguments) {
  app.get_formatter()->column_width(34);
  const auto reader = std::make_shared<ConfigReader>(app);
  app.config_formatter(reader);
  app.set_config("--config", "", "TOML file with any of these options: name = value", false);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::ParseError& error) {
    throw UsageError(
        fmt::format("{} (see {} --help)", reader->with_place(text_of(error, app)), app.get_name()));
  }
  return std::nullopt;
}

}  // namespace odsgd
