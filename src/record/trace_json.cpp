#include <nlohmann/json.hpp>

#include "odsgd/record/trace_summary.hpp"

namespace odsgd {

using Json = nlohmann::ordered_json;

std::string to_json(const TraceSummary& trace) {
  Json ranks = Json::array();
  for (const RankTrace& rank : trace.ranks) {
    Json busy = Json::object();
    for (std::size_t i = 0; i < kLanes; ++i)
      busy[std::string(lane_name(static_cast<Lane>(i)))] = rank.busy_s[i];
    ranks.push_back({{"rank", rank.rank},
                     {"role", rank.role},
                     {"host", rank.host},
                     {"spans", rank.spans},
                     {"dropped", rank.dropped},
                     {"first_s", rank.first_s},
                     {"last_s", rank.last_s},
                     {"busy_s", busy},
                     {"in_flight_s", rank.in_flight_s},
                     {"hidden_share", rank.hidden_share},
                     {"clock_uncertainty_s", rank.clock_uncertainty_s}});
  }
  const Json json{
      {"kind", "trace"}, {"path", trace.path}, {"run_id", trace.run_id}, {"ranks", ranks}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace odsgd
