#include "config_reader.hpp"

#include "config_file.hpp"
#include "usage_error.hpp"

namespace odsgd {

std::vector<CLI::ConfigItem> ConfigReader::from_config(std::istream& in) const {
  const auto file = app_["--config"]->as<std::string>();
  std::vector<CLI::ConfigItem> found;
  for (ConfigEntry& entry : read_config(in, file)) {
    const std::string place = fmt::format("{}:{}", file, entry.line);
    const CLI::Option* option = app_.get_option_no_throw("--" + entry.name);
    if (option == nullptr || !option->get_configurable())
      throw UsageError(
          fmt::format("{}: {} is no option of {}", place, entry.name, app_.get_name()));
    if (option->empty()) places_["--" + entry.name] = place;  // else the command line wins
    CLI::ConfigItem& item = found.emplace_back();
    item.name = std::move(entry.name);
    item.inputs = {std::move(entry.value)};
  }
  return found;
}

std::string ConfigReader::with_place(const std::string& error) const {
  const auto place = places_.find(error.substr(0, error.find(':')));
  return place == places_.end() ? error : fmt::format("{}: {}", place->second, error);
}

}  // namespace odsgd
