#include "describe_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "odsgd/data/dataset.hpp"

namespace odsgd {

std::string data_to_text(const Dataset& data) {
  const DatasetInfo& info = data.info();
  const auto train = label_histogram(data.train(), info.classes());
  const auto test = label_histogram(data.test(), info.classes());
  std::string text = fmt::format("{}: data set {}\n", info.path, info.name);
  text += fmt::format("  images    {} channel{}, {} x {} pixels\n", info.channels,
                      info.channels == 1 ? "" : "s", info.height, info.width);
  text += fmt::format("  samples   {} train, {} test\n", info.train_count, info.test_count);
  text += fmt::format("  mean      {:.6f}   (of training pixels / 255, per channel)\n",
                      fmt::join(info.mean, " "));
  text += fmt::format("  std       {:.6f}\n", fmt::join(info.std, " "));
  text += fmt::format("  classes   {}\n", info.classes());
  text += fmt::format("    {:>5}  {:>8}  {:>8}  name\n", "label", "train", "test");
  for (std::size_t c = 0; c < info.class_names.size(); ++c) {
    text += fmt::format("    {:>5}  {:>8}  {:>8}  {}\n", c, train[c], test[c], info.class_names[c]);
  }
  const auto optional_line = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<9} {}\n", name, value);
  };
  optional_line("sha256", info.train_sha256.empty() ? "" : "train " + info.train_sha256);
  optional_line("", info.test_sha256.empty() ? "" : "test  " + info.test_sha256);
  optional_line("made by", info.created_by);
  for (const auto& [file, sha256] : info.sources)
    text += fmt::format("    from    {}  sha256 {}\n", file, sha256);
  return text;
}

nlohmann::json data_to_json(const Dataset& data) {
  const DatasetInfo& info = data.info();
  const auto split = [&](const Split& s) {
    return nlohmann::json{
        {"samples", s.count}, {"labels", label_histogram(s, info.classes())}, {"sha256", s.sha256}};
  };
  nlohmann::json sources = nlohmann::json::array();
  for (const auto& [file, sha256] : info.sources)
    sources.push_back({{"file", file}, {"sha256", sha256}});
  return {{"kind", "data"},
          {"file", info.path},
          {"name", info.name},
          {"channels", info.channels},
          {"height", info.height},
          {"width", info.width},
          {"classes", info.class_names},
          {"mean", info.mean},
          {"std", info.std},
          {"train", split(data.train())},
          {"test", split(data.test())},
          {"created_by", info.created_by},
          {"sources", sources}};
}

}  // namespace odsgd
