#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/trace_files.hpp"
#include "app/workplace.hpp"
#include "h5/error_text.hpp"
#include "odsgd/record/chrome_trace.hpp"
#include "odsgd/record/run_summary.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr int kSteps = 16;         // of a batch of 2 times 32 samples of 530, in 2 epochs
constexpr int kStepsPerEpoch = 8;  // after which global weights are read
constexpr int kWarmup = 2;
constexpr double kRounding_s = 2e-9;  // times have 3 decimals of a microsecond

const Words kTrain{"--data",        "tiny.h5",   "--output",           "out", "--model",    "mlp",
                   "--trace",       "out/trace", "--batch-per-worker", "32",  "--epochs",   "2",
                   "--message-kib", "256",       "--momentum",         "0.5", "--progress", "off"};
const Words kOdSgd = kTrain + Words{"--algorithm", "od-sgd", "--warmup-steps", "2"};

/// How many messages, and so slices, the keys of the network have.
const std::map<std::string, std::size_t> kSlices{{"fc1_weight", 2}, {"fc1_bias", 1},
                                                 {"fc2_weight", 1}, {"fc2_bias", 1},
                                                 {"fc3_weight", 1}, {"fc3_bias", 1}};

std::vector<TraceFile> read_traces(const Workplace& place, int ranks) {
  std::vector<TraceFile> files;
  for (int rank = 0; rank < ranks; ++rank)
    files.push_back(read_trace_file(place.file("out/trace/" + trace_file_name(rank))));
  for (const TraceFile& file : files) {
    CHECK(file.run_id == files[0].run_id);
    CHECK(file.ranks == ranks);
  }
  return files;
}

/// Forward and backward, once a step and layer.
void check_compute(const TraceFile& worker) {
  const Words names{"fc1 forward",       "fc1 relu forward",  "fc2 forward",
                    "fc2 relu forward",  "fc3 forward",       "loss",
                    "fc3 backward",      "fc2 relu backward", "fc2 backward",
                    "fc1 relu backward", "fc1 backward"};
  const std::vector<Event> events = worker.in_lane("compute");
  REQUIRE(events.size() == names.size() * kSteps);
  for (std::size_t i = 0; i < events.size(); ++i) {
    CHECK(events[i].name == names[i % names.size()]);
    CHECK(events[i].step == static_cast<int>(i / names.size()));
  }
}

void check_flights(const TraceFile& worker) {
  for (const auto& [key, slices] : kSlices) {
    CAPTURE(key);
    for (int step = 0; step < kSteps; ++step) {
      CAPTURE(step);
      CHECK(worker.count("push", "push", step, key) == slices);
      CHECK(worker.count("pull", "pull", step, key) == (step == 0 ? 2 : 1));
    }
  }
}

/// The steps of the spans of a key in this lane and with this name, in order of time.
std::vector<int> steps_of(const TraceFile& worker, const std::string& lane, const std::string& name,
                          const std::string& key) {
  std::vector<int> steps;
  for (const Event& event : worker.events) {
    if (event.lane == lane && event.name == name && event.key == key) steps.push_back(event.step);
  }
  return steps;
}

/// OD-SGD takes W^t once: in step t of the warm-up; later with the local update of step t, behind
/// that step's gradient when the weights are there by then, or else before the next forward pass.
void check_od_sgd(const TraceFile& worker) {
  for (const auto& [key, slices] : kSlices) {
    CAPTURE(key);
    const std::vector<int> waits = steps_of(worker, "wait", "wait for weights", key);
    const std::vector<int> updates = steps_of(worker, "update", "local update", key);
    REQUIRE(waits.size() == kSteps + 1);
    REQUIRE(updates.size() == kSteps - kWarmup);
    for (int clock = 0; clock <= kSteps; ++clock) {
      CAPTURE(clock);
      const int step = waits[static_cast<std::size_t>(clock)];
      CHECK(step >= clock);
      CHECK(step <= (clock <= kWarmup ? clock : clock + 1));
      if (clock < kWarmup || clock == kSteps) continue;
      const int updated = updates[static_cast<std::size_t>(clock - kWarmup)];
      CHECK(updated >= clock);
      CHECK(updated <= clock + 1);
    }
    for (int step = 0; step <= kSteps; ++step) {
      CAPTURE(step);
      const bool is_evaluated = step > 0 && step % kStepsPerEpoch == 0;
      CHECK(worker.count("wait", "wait until sent", step, key) == (step < kSteps ? 1 : 0));
      CHECK(worker.count("evaluate", "evaluation", step) == (is_evaluated ? 1 : 0));
    }
  }
}

/// What one thread does comes one after the other.
void check_one_thread(const TraceFile& worker) {
  double end_s = 0;
  for (const Event& event : worker.events) {
    if (event.lane == "push" || event.lane == "pull" || event.lane == "server") continue;
    CAPTURE(event.name);
    CHECK(event.begin_s >= end_s - kRounding_s);
    end_s = event.end_s;
  }
}

void check_tracks(const TraceFile& file) {
  std::map<int, double> end_s;
  for (const Event& event : file.events) {
    CHECK(event.begin_s >= end_s[event.track] - kRounding_s);
    end_s[event.track] = event.end_s;
  }
}

void check_server(const TraceFile& server, std::size_t updates_a_step) {
  for (const auto& [key, slices] : kSlices) {
    for (int step = 0; step < kSteps; ++step)
      CHECK(server.count("server", "server update", step, key) == updates_a_step * slices);
  }
}

/// On one clock no update begins before its pushes, and no weights come before their update.
void check_causality(const TraceFile& server, const TraceFile& worker) {
  const double slack_s = server.uncertainty_s + worker.uncertainty_s + kRounding_s;
  std::map<std::pair<std::string, int>, double> pushed_s;
  std::map<std::pair<std::string, int>, double> pulled_s;
  for (const Event& push : worker.in_lane("push"))
    pushed_s.try_emplace({push.key, push.step}, push.begin_s);  // the first of them
  for (const Event& pull : worker.in_lane("pull"))
    pulled_s[{pull.key, pull.step}] = pull.end_s;  // the last: step 0 begins with another
  for (const Event& update : server.in_lane("server")) {
    CAPTURE(update.key);
    CAPTURE(update.step);
    CHECK(update.begin_s >= pushed_s.at({update.key, update.step}) - slack_s);
    CHECK(update.end_s <= pulled_s.at({update.key, update.step}) + slack_s);
  }
}

void check_merged(const Workplace& place, const std::vector<TraceFile>& files) {
  const Outcome info = place.run(odsgd_command({"info", "--trace", "out/trace", "--json"}));
  CHECK(info.exit_code == 0);
  const auto summary = nlohmann::json::parse(info.out);
  REQUIRE(summary.at("ranks").size() == files.size());
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    CHECK(summary["ranks"][rank].at("spans") == files[rank].events.size());
    CHECK(summary["ranks"][rank].at("dropped") == 0);
  }
  CHECK(place.has("out/trace/trace.json"));
}

void check_run(const Words& command) {
  const Workplace place;
  const Outcome run = place.run(command);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(says(run.out, "\ntrace          odsgd info --trace out/trace "));

  const std::vector<TraceFile> files = read_traces(place, 3);

  CHECK(files[0].role == "server 0");
  CHECK(files[1].role == "worker 0");
  CHECK(files[0].uncertainty_s > 0);
  CHECK(files[1].uncertainty_s == 0);  // worker 0's is the clock of all
  CHECK(files[2].uncertainty_s > 0);
  check_server(files[0], 1);
  check_tracks(files[0]);
  for (const int rank : {1, 2}) {
    CAPTURE(rank);
    const TraceFile& worker = files[static_cast<std::size_t>(rank)];
    check_compute(worker);
    check_flights(worker);
    check_od_sgd(worker);
    check_one_thread(worker);
    check_tracks(worker);
    check_causality(files[0], worker);
  }
  check_merged(place, files);
}

}  // namespace

TEST_CASE("train --trace: tells of every step, layer, key and slice once, on one clock") {
  check_run(train_in_process(2, kOdSgd));
}

TEST_CASE("train --trace: does so under mpirun too") { check_run(train_over_mpi(3, kOdSgd)); }

TEST_CASE(
    "train --trace: a rank that is both has both parts in its file, asynchronous updates too") {
  const Workplace place;
  const Words more{"--algorithm", "asgd", "--servers", "colocated", "--server-threads", "2"};
  REQUIRE(place.run(train_over_mpi(2, kTrain + more)).exit_code == 0);

  const std::vector<TraceFile> files = read_traces(place, 2);

  std::size_t updates = 0;
  for (const TraceFile& file : files) {
    check_compute(file);
    check_one_thread(file);
    check_tracks(file);
    CHECK(file.in_lane("update").empty());
    updates += file.in_lane("server").size();
  }
  CHECK(files[1].role == "server 1 and worker 1");
  CHECK(updates == files[0].in_lane("push").size() + files[1].in_lane("push").size());
}

TEST_CASE("train --trace: another run's traces are an error before anything begins") {
  const Workplace place;
  REQUIRE(place.run(train_in_process(2, kOdSgd)).exit_code == 0);
  const auto before = place.contents();

  for (const Words& command : {train_in_process(1, kTrain + Words{"--output", "b"}),
                               train_over_mpi(2, kTrain + Words{"--output", "b"})}) {
    Words other = command;
    other.erase(std::find(other.begin(), other.end(), "out") - 1,
                std::find(other.begin(), other.end(), "out") + 1);
    const Outcome outcome = place.run(other);
    CHECK(outcome.exit_code == 1);
    CHECK(error_lines(outcome.err) ==
          Words{"odsgd: --trace out/trace: got rank-0000.json of another run, want none (choose "
                "another directory)"});
    CHECK(place.contents() == before);
  }
}

TEST_CASE("train --trace: one that cannot be written fails the program, and leaves the log whole") {
  for (const bool is_mpi : {false, true}) {
    const Workplace place;
    Words options = kOdSgd;
    *std::find(options.begin(), options.end(), "out/trace") = "out/run.h5/trace";

    const Outcome outcome =
        place.run(is_mpi ? train_over_mpi(2, options) : train_in_process(1, options));

    CHECK(outcome.exit_code == 1);
    CHECK(error_lines(outcome.err).size() == 2);
    CHECK(says(outcome.err, ": --trace out/run.h5/trace: cannot be created: Not a directory"));
    CHECK(read_run(place.file("out/run.h5")).status == "finished");
  }
}
