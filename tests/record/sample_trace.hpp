#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "odsgd/record/chrome_trace.hpp"

namespace odsgd::test {

/// Rank 1 (worker 0) of a run of two.
TraceIdentity sample_identity(int rank = 1);

/// Names of keys 0 and 1.
std::vector<std::string> sample_keys();

/// Begins at 10 s. In seconds from there: compute 0 to 1 and 1.5 to 3, a part of it 0.25 to 0.5,
/// wait 1 to 1.5, push 1 to 2 (key 0) and 1.75 to 2.5 (key 1), pull 2.25 to 3; nothing else.
void add_sample_spans(Timeline& timeline);

nlohmann::json read_json(const std::string& path);

void write_text(const std::string& path, const std::string& text);

/// The events of phase `ph` with all of `fields`.
std::vector<nlohmann::json> events_of(const nlohmann::json& trace, const std::string& ph,
                                      const nlohmann::json& fields = nlohmann::json::object());

}  // namespace odsgd::test
