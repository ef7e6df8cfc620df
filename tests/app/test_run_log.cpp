#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "app/run_difference.hpp"
#include "app/tiny_data.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/record/run_summary.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

/// One run, made once for all cases here: in-process, its directory named `run`.
class FinishedRun {
 public:
  explicit FinishedRun(const Words& more = {}) : options_(more) {
    write_tiny_data(directory_.file("tiny.h5"));
    outcome_ = repeat("run");
  }

  /// The same command in a directory `where` of its own, or with the same one for "run".
  Outcome repeat(const std::string& where) const {
    const std::string place = directory_.file(where);
    std::filesystem::create_directory(place);
    return run(train_in_process(4, Words{"--data", data(), "--output", "run", "--epochs", "2",
                                         "--batch-per-worker", "8"} +
                                       options_),
               place);
  }

  std::string data() const { return directory_.file("tiny.h5"); }
  std::string place() const { return directory_.path(); }
  std::string log(const std::string& where = "run") const {
    return directory_.file(where + "/run/run.h5");
  }
  const Outcome& outcome() const { return outcome_; }

 private:
  Words options_;
  TemporaryDirectory directory_;
  Outcome outcome_;
};

}  // namespace

TEST_CASE("run.h5: the same command twice gives the same file but for what is measured") {
  for (const Words& more : {Words{}, Words{"--algorithm", "ssgd", "--servers", "2"}}) {
    const FinishedRun first(more);
    first.repeat("again");

    CHECK(run_differences(first.log(), first.log("again")) == "");
  }
}

TEST_CASE("run.h5: its stored configuration reruns it to the same bits, in-process and by mpirun") {
  const FinishedRun first({"--servers", "2", "--local-rule", "sgd", "--warmup-steps", "3"});
  std::ofstream(first.place() + "/stored.toml") << read_run(first.log()).toml;

  const Words rerun{"train", "--config", "stored.toml", "--output"};
  const Outcome threads = run(odsgd_command(rerun + Words{"threads"}), first.place());
  const Outcome ranks = run(mpirun(6, odsgd_command(rerun + Words{"ranks"})), first.place());

  CHECK(threads.err.empty());
  CHECK(training_differences(first.log(), first.place() + "/threads/run.h5") == "");
  CHECK(ranks.err.empty());
  CHECK(training_differences(first.log(), first.place() + "/ranks/run.h5") == "");
}

TEST_CASE("run.h5: config.toml beside it holds the same configuration") {
  const FinishedRun first;

  std::ifstream in(std::filesystem::path(first.log()).parent_path() / "config.toml");
  const std::string toml{std::istreambuf_iterator<char>(in), {}};

  CHECK(toml == read_run(first.log()).toml);
}

TEST_CASE("eval: gives the numbers that the run's last evaluation gave") {
  const FinishedRun first;
  const EvalRow want = read_run(first.log()).rows.eval.at(1);

  for (const Words& more : {Words{}, Words{"--batch", "7"}}) {
    const Outcome outcome =
        run(odsgd_command(Words{"eval", first.log(), "--data", first.data(), "--json"} + more),
            first.place());

    REQUIRE(outcome.exit_code == 0);
    const auto got = nlohmann::json::parse(outcome.out);
    CHECK(got.at("clock") == 32);
    CHECK(got.at("samples") == want.samples);
    CHECK(got.at("top1").get<double>() == want.top1);
    CHECK(got.at("top5").get<double>() == want.top5);
    CHECK(got.at("loss").get<double>() == doctest::Approx(want.loss).epsilon(1e-6));
  }
}

TEST_CASE("eval: prints the last evaluation's loss and accuracy to the digit") {
  const FinishedRun first;
  const EvalRow want = read_run(first.log()).rows.eval.at(1);

  const Outcome outcome =
      run(odsgd_command({"eval", first.log(), "--data", first.data()}), first.place());

  CHECK(outcome.exit_code == 0);
  const std::string numbers = fmt::format("loss {:.6f}   top-1 {:.2f} %   top-5 {:.2f} %",
                                          want.loss, 100 * want.top1, 100 * want.top5);
  INFO(outcome.out);
  CHECK(outcome.out.find(numbers) != std::string::npos);
}

TEST_CASE("info: --json of a run is one JSON object with its result") {
  const FinishedRun first;

  const Outcome outcome = run(odsgd_command({"info", first.log(), "--json"}), first.place());

  REQUIRE(outcome.exit_code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json.is_object());
  CHECK(json.at("status") == "finished");
  CHECK(json.at("config").at("batch-per-worker") == 8);
}

TEST_CASE("info: --json of a data file is one JSON object with its counts") {
  const FinishedRun first;

  const Outcome outcome = run(odsgd_command({"info", first.data(), "--json"}), first.place());

  REQUIRE(outcome.exit_code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json.at("train").at("samples") == kTinyTrainCount);
  CHECK(json.at("test").at("samples") == kTinyTestCount);
}

TEST_CASE("train: what a run prints names its ranks, batch, rates, transport and result") {
  const FinishedRun first({"--servers", "2"});

  const std::string& text = first.outcome().out;

  INFO(text);
  for (const char* part :
       {"od-sgd trains lenet", "8 per worker, 32 global", "lr 0.05, momentum 0.9", "oneDNN",
        "transport in-process", "server 1", "worker 3", "epoch 1/2:", "epoch 2/2:", "test accuracy",
        "images/s", "hidden", "run/run.h5"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("train: asgd finishes, and counts the staleness of every push of a slice") {
  const FinishedRun first({"--algorithm", "asgd", "--message-kib", "4096"});
  const RunSummary log = read_run(first.log());

  std::int64_t pushes = 0;
  for (const StalenessRow& row : log.rows.staleness) pushes += row.count;

  // 8 arrays in whole slices, of 4 workers, in 32 steps.
  CHECK(log.status == "finished");
  CHECK(pushes == 8 * 4 * 32);
}
