#include "app/trace_files.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace odsgd::test {

std::vector<Event> TraceFile::in_lane(const std::string& lane) const {
  std::vector<Event> found;
  for (const Event& event : events) {
    if (event.lane == lane) found.push_back(event);
  }
  return found;
}

std::size_t TraceFile::count(const std::string& lane, const std::string& name, int step,
                             const std::string& key) const {
  return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const Event& e) {
    return e.lane == lane && e.name == name && e.step == step && e.key == key;
  }));
}

TraceFile read_trace_file(const std::string& path) {
  std::ifstream in(path);
  const auto json = nlohmann::json::parse(in);
  const auto& about = json.at("otherData");
  TraceFile file{.run_id = about.at("run_id"),
                 .role = about.at("role"),
                 .ranks = about.at("ranks"),
                 .uncertainty_s = about.at("clock_uncertainty_us").get<double>() * 1e-6,
                 .events = {}};
  for (const auto& e : json.at("traceEvents")) {
    if (e.at("ph") != "X") continue;
    const double begin_us = e.at("ts");
    file.events.push_back({.track = e.at("tid"),
                           .lane = e.at("cat"),
                           .name = e.at("name"),
                           .key = e.at("args").value("key", ""),
                           .step = e.at("args").at("step"),
                           .begin_s = begin_us * 1e-6,
                           .end_s = (begin_us + e.at("dur").get<double>()) * 1e-6});
  }
  std::sort(file.events.begin(), file.events.end(),
            [](const Event& a, const Event& b) { return a.begin_s < b.begin_s; });
  return file;
}

}  // namespace odsgd::test
