#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"
#include "odsgd/record/run_summary.hpp"
#include "record/sample_run.hpp"

using namespace odsgd;
using odsgd::test::error_text;

TEST_CASE("every column of every table comes back in its own member") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  {
    RunLog log(path, test::sample_description());
    log.add(TrainRow{1, 2, 3, 4, 5, 5.5, 6, 7, 8});
    log.add(EvalRow{1, 2, 3, 4, 5, 6, 7});
    log.add(std::vector<StepRow>{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}});
    log.add(std::vector<TimingRow>{
        {1, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 34, 0.5, 20, 21, 22, 23}});
    log.set_staleness(std::vector<StalenessRow>{{1, 2}});
  }
  const h5::File file = h5::File::open_read(path);
  const auto real = [&](const char* name) { return file.dataset(name).read<double>().at(0); };
  const auto integer = [&](const char* name) {
    return file.dataset(name).read<std::int64_t>().at(0);
  };
  CHECK(integer("train/step") == 1);
  CHECK(real("train/epoch") == 2);
  CHECK(real("train/loss") == 3);
  CHECK(real("train/accuracy") == 4);
  CHECK(real("train/lr") == 5);
  CHECK(real("train/local_lr") == 5.5);
  CHECK(integer("train/samples") == 6);
  CHECK(real("train/seconds") == 7);
  CHECK(real("train/images_per_s") == 8);
  CHECK(integer("eval/epoch") == 1);
  CHECK(integer("eval/step") == 2);
  CHECK(real("eval/loss") == 3);
  CHECK(real("eval/top1") == 4);
  CHECK(real("eval/top5") == 5);
  CHECK(integer("eval/samples") == 6);
  CHECK(real("eval/seconds") == 7);
  CHECK(integer("steps/step") == 1);
  CHECK(integer("steps/rank") == 2);
  CHECK(real("steps/seconds") == 3);
  CHECK(real("steps/compute") == 4);
  CHECK(real("steps/input") == 5);
  CHECK(real("steps/wait") == 6);
  CHECK(real("steps/local_update") == 7);
  CHECK(real("steps/post") == 8);
  CHECK(real("steps/push") == 9);
  CHECK(real("steps/pull") == 10);
  CHECK(real("steps/in_flight") == 11);
  CHECK(integer("timing/index") == 4);
  CHECK(integer("timing/steps") == 5);
  CHECK(real("timing/wait") == 9);
  CHECK(real("timing/local_update") == 10);
  CHECK(real("timing/push") == 13);
  CHECK(real("timing/in_flight") == 15);
  CHECK(integer("timing/measured_steps") == 16);
  CHECK(real("timing/measured_wait") == 17);
  CHECK(real("timing/measured_in_flight") == 34);
  CHECK(real("timing/hidden_share") == 0.5);
  CHECK(real("timing/progress_cpu") == 20);
  CHECK(integer("timing/bytes_pulled") == 22);
  CHECK(integer("overlap/epoch") == 1);
  CHECK(real("overlap/wait_max") == 9.0 / 5);
  CHECK(real("overlap/hidden_share_min") == 0.5);

  const RunRows rows = read_run(path).rows;

  CHECK(rows.train.at(0).images_per_s == 8);
  CHECK(rows.train.at(0).samples == 6);
  CHECK(rows.eval.at(0).top5 == 5);
  CHECK(rows.eval.at(0).seconds == 7);
  CHECK(rows.timing.at(0).epoch == 1);
  CHECK(rows.timing.at(0).rank == 2);
  CHECK(rows.timing.at(0).seconds == 6);
  CHECK(rows.timing.at(0).compute == 7);
  CHECK(rows.timing.at(0).input == 8);
  CHECK(rows.timing.at(0).post == 11);
  CHECK(rows.timing.at(0).other == 12);
  CHECK(rows.timing.at(0).pull == 14);
  CHECK(rows.timing.at(0).bytes_pushed == 21);
  CHECK(rows.timing.at(0).peak_memory_bytes == 23);
  CHECK(rows.overlap.at(0).step.mean == 6.0 / 5);
  CHECK(rows.overlap.at(0).pull.min == 14.0 / 5);
  CHECK(rows.staleness.at(0).value == 1);
  CHECK(rows.staleness.at(0).count == 2);
}

TEST_CASE("whether a run was a benchmark comes back, and a log that says nothing was none") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  RunDescription description = test::sample_description();
  description.is_benchmark = true;
  { RunLog log(path, description); }
  CHECK(read_run(path).is_benchmark);
  CHECK(h5::File::open_read(path).attribute_as<std::int64_t>("is_benchmark") == 1);

  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = bytes.find("is_benchmark");
  REQUIRE(at != std::string::npos);
  bytes.replace(at, 12, "another_name");  // as good as an older log, which has none
  std::ofstream(path, std::ios::binary) << bytes;

  CHECK_FALSE(h5::File::open_read(path).has_attribute("is_benchmark"));
  CHECK_FALSE(read_run(path).is_benchmark);
}

TEST_CASE("a finished run is read with its description, weights and result") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  RunLog log(path, test::sample_description());
  test::add_all(log, test::sample_rows());
  h5::Group weights = log.root().create_group("weights");
  weights.create_dataset("fc_weight", h5::Type::kFloat, {10, 500});
  weights.set_attribute("clock", std::uint64_t{20});
  log.finish();

  const RunSummary run = read_run(path);

  CHECK(run.status == "finished");
  CHECK(run.command_line == "odsgd train --model lenet");
  CHECK(run.toml == "model = \"lenet\"\nlr = 0.05\n");
  CHECK(run.config.size() == 5);
  CHECK(run.config.at(0) == std::pair<std::string, h5::Attribute>("epochs", std::int64_t{2}));
  CHECK(run.environment.at(1).second == h5::Attribute(std::string("Open MPI 4.1.4")));
  CHECK(run.rows.train.size() == 4);
  CHECK(run.result.hidden_share_mean == 0.625);
  REQUIRE(run.weights.size() == 1);
  CHECK(run.weights[0].name == "fc_weight");
  CHECK(run.weights[0].shape == h5::Shape{10, 500});
  CHECK(run.weights_clock == 20);
}

TEST_CASE("an unfinished run is read as far as it is") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  RunLog log(path, test::sample_description());

  CHECK(read_run(path).status == "running");
  CHECK(read_run(path).rows.train.empty());
  CHECK(read_run(path).weights.empty());
  log.add(TrainRow{.step = 5, .samples = 40, .seconds = 2});

  CHECK(read_run(path).rows.train.size() == 1);
  CHECK(read_run(path).result.images_per_s == 20);
}

TEST_CASE("what is no run log is refused, in words") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("other.h5");
  {
    h5::File file = h5::File::create(path);
    file.set_attribute("format", 3);
    file.close();
  }
  CHECK_FALSE(is_run_log(path));
  CHECK(error_text([&] { read_run(path); }) ==
        path + ": is not a run log: has no attribute format = 'odsgd run log'");

  const std::string text = directory.file("text.h5");
  std::ofstream(text) << "step loss";
  CHECK(error_text([&] { read_run(text); }) ==
        text + ": is not an HDF5 file (it begins with \"step loss\")");
}

TEST_CASE("a log of a later format is refused") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  RunLog log(path, test::sample_description());
  log.root().set_attribute("format_version", 3);
  log.finish();

  CHECK(is_run_log(path));
  CHECK(error_text([&] { read_run(path); }) ==
        path + ": run log has format version 3, want 1 to 2");
}
