#include "record/sample_trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

namespace odsgd::test {

using nlohmann::json;

TraceIdentity sample_identity(int rank) {
  return {.rank = rank,
          .ranks = 2,
          .role = rank == 0 ? "server 0" : "worker 0",
          .host = "n17",
          .run_id = "4f2a"};
}

std::vector<std::string> sample_keys() { return {"conv1_weight", "conv1_bias"}; }

void add_sample_spans(Timeline& timeline) {
  const auto add = [&](Lane lane, const char* label, double begin_s, double end_s,
                       Key key = kNoKey) {
    timeline.add({.begin_s = 10 + begin_s,
                  .end_s = 10 + end_s,
                  .step = 7,
                  .key = key,
                  .label = timeline.label(label),
                  .lane = lane});
  };
  add(Lane::kCompute, "part", 0.25, 0.5);
  add(Lane::kCompute, "forward", 0, 1);
  add(Lane::kWait, "wait", 1, 1.5, 0);
  add(Lane::kPush, "push", 1, 2, 0);
  add(Lane::kPush, "push", 1.75, 2.5, 1);
  add(Lane::kCompute, "backward", 1.5, 3);
  add(Lane::kPull, "pull", 2.25, 3, 0);
}

json read_json(const std::string& path) {
  std::ifstream in(path);
  REQUIRE(in.is_open());
  return json::parse(in);
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::vector<json> events_of(const json& trace, const std::string& ph, const json& fields) {
  std::vector<json> found;
  for (const json& event : trace.at("traceEvents")) {
    const bool fits = std::all_of(fields.items().begin(), fields.items().end(), [&](auto& field) {
      return event.contains(field.key()) && event.at(field.key()) == field.value();
    });
    if (event.at("ph") == ph && fits) found.push_back(event);
  }
  return found;
}

}  // namespace odsgd::test
