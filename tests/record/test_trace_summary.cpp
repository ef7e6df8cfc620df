#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "odsgd/record/trace_summary.hpp"

using namespace odsgd;
using nlohmann::json;

namespace {

TraceSummary sample_summary() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {.path = "my run/trace.json",
          .run_id = "4f2a",
          .ranks = {{.rank = 0,
                     .role = "server 0",
                     .host = "n1",
                     .spans = 2,
                     .first_s = 0,
                     .last_s = 2.75,
                     .busy_s = {0, 0, 0, 0, 0, 1.25, 0},
                     .hidden_share = kNone},
                    {.rank = 1,
                     .role = "worker 0, server 1",
                     .host = "n2",
                     .spans = 123456,
                     .first_s = 1.5,
                     .last_s = 4.5,
                     .busy_s = {2.5, 0.5, 0.25, 1.5, 0.75, 0.125, 12},
                     .in_flight_s = 2,
                     .hidden_share = 0.75,
                     .clock_uncertainty_s = 2.5e-6}}};
}

}  // namespace

TEST_CASE("a trace for people is a table and a way to look at it") {
  CHECK(to_text(sample_summary()) ==
        "my run/trace.json: trace of run 4f2a, 123458 spans of 2 ranks\n"
        "\n"
        "how long something was under way on each rank, in s\n"
        "  rank role                  spans     from       to  compute     wait   update     push"
        "     pull   server evaluate   hidden\n"
        "     0 server 0                  2    0.000    2.750    0.000    0.000    0.000    0.000"
        "    0.000    1.250    0.000        -\n"
        "     1 worker 0, server 1   123456    1.500    4.500    2.500    0.500    0.250    1.500"
        "    0.750    0.125   12.000   75.0 %\n"
        "  hidden: 1 - wait / time with a push or a pull under way\n"
        "  the ranks' clocks agree to 2.5 us or better\n"
        "\n"
        "look at it: open https://ui.perfetto.dev and drop 'my run/trace.json' on the page\n");
}

TEST_CASE("a trace as JSON is one object with a number for every cell, null for none") {
  const json parsed = json::parse(to_json(sample_summary()));

  CHECK(parsed.at("kind") == "trace");
  CHECK(parsed.at("path") == "my run/trace.json");
  CHECK(parsed.at("run_id") == "4f2a");
  REQUIRE(parsed.at("ranks").size() == 2);
  CHECK(parsed.at("ranks")[0].at("hidden_share").is_null());
  CHECK(parsed.at("ranks")[1] == json{{"rank", 1},
                                      {"role", "worker 0, server 1"},
                                      {"host", "n2"},
                                      {"spans", 123456},
                                      {"dropped", 0},
                                      {"first_s", 1.5},
                                      {"last_s", 4.5},
                                      {"busy_s",
                                       {{"compute", 2.5},
                                        {"wait", 0.5},
                                        {"update", 0.25},
                                        {"push", 1.5},
                                        {"pull", 0.75},
                                        {"server", 0.125},
                                        {"evaluate", 12.0}}},
                                      {"in_flight_s", 2.0},
                                      {"hidden_share", 0.75},
                                      {"clock_uncertainty_s", 2.5e-6}});
}
