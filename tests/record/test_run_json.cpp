#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "h5/temporary_directory.hpp"
#include "odsgd/record/run_summary.hpp"
#include "record/sample_run.hpp"

using namespace odsgd;
using nlohmann::json;

TEST_CASE("a run as JSON is one object with all that the log holds") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  RunLog log(path, test::sample_description());
  test::add_all(log, test::sample_rows());
  log.finish();
  RunSummary run = read_run(path);
  run.weights = {{"fc_bias", {10}}, {"conv1_weight", {20, 1, 5, 5}}};
  run.weights_clock = 20;

  const json parsed = json::parse(to_json(run));

  CHECK(parsed.at("path") == path);
  CHECK(parsed.at("status") == "finished");
  CHECK(parsed.at("command_line") == "odsgd train --model lenet");
  CHECK(parsed.at("toml") == "model = \"lenet\"\nlr = 0.05\n");
  CHECK(parsed.at("config") ==
        json{{"model", "lenet"}, {"lr", 0.05}, {"epochs", 2}, {"seed", 1}, {"progress", false}});
  CHECK(parsed.at("environment").at("hosts") == json{"n1", "n1", "n2"});
  CHECK(parsed.at("train").at("step") == json{5, 10, 15, 20});
  CHECK(parsed.at("eval").at("loss") == json{1.0, 0.5});
  CHECK(parsed.at("timing").at("rank") == json{0, 1, 2, 0, 1, 2});
  CHECK(parsed.at("staleness") == json{{"value", {0, 1}}, {"count", {4, 76}}});
  CHECK(parsed.at("result").at("images_per_s") == 40);
  CHECK(parsed.at("result").at("hidden_share_min") == 0.5);
  // 20 steps a worker: waits of 0.5 and 1 s, 2 s in flight that were measured, 0.25 s of 4 on a
  // core
  const json& times = parsed.at("times");
  CHECK(times.at("step_mean") == 0.2);
  CHECK(times.at("wait_min") == 0.025);
  CHECK(times.at("wait_mean").get<double>() == doctest::Approx(0.0375));
  CHECK(times.at("wait_max") == 0.05);
  CHECK(times.at("hidden_share_max") == 0.75);
  CHECK(times.at("worker_progress_core_share") == 0.0625);
  CHECK(times.at("server_core_share") == 0.03125);
  CHECK_FALSE(times.contains("epoch"));
  CHECK(parsed.at("weights").at("conv1_weight") == json{20, 1, 5, 5});
  CHECK(parsed.at("weights_clock") == 20);
}

TEST_CASE("an empty run is JSON too, with null for what is unknown") {
  const json parsed =
      json::parse(to_json(RunSummary{.status = "running", .result = result_of({})}));

  CHECK(parsed.at("result").at("test_top1").is_null());
  CHECK(parsed.at("times").at("hidden_share_mean").is_null());
  CHECK(parsed.at("times").at("server_core_share").is_null());
  CHECK(parsed.at("train").at("loss") == json::array());
  CHECK(parsed.at("config") == json::object());
  CHECK(parsed.at("weights") == json::object());
  CHECK(parsed.at("weights_clock").is_null());
}

TEST_CASE("bytes that are not UTF-8 do not break the JSON") {
  const RunSummary run{.command_line = "odsgd --output caf\xe9"};

  CHECK(json::parse(to_json(run)).at("command_line") == "odsgd --output caf\xef\xbf\xbd");
}
