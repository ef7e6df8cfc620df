#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "h5/error_text.hpp"
#include "h5/shell.hpp"
#include "h5/temporary_directory.hpp"
#include "odsgd/h5/file.hpp"
#include "odsgd/record/run_log.hpp"
#include "record/sample_run.hpp"

using namespace odsgd;
using odsgd::test::error_text;
using odsgd::test::says;

namespace {

void write_finished(const std::string& path, const RunRows& rows) {
  RunLog log(path, test::sample_description());
  test::add_all(log, rows);
  log.finish();
}

std::string status_of(const std::string& path) {
  return h5::File::open_read(path).attribute_as<std::string>("status");
}

}  // namespace

TEST_CASE("a run log has the documented groups, data sets and attributes") {
  const test::TemporaryDirectory directory;
  write_finished(directory.file("run.h5"), test::sample_rows());

  const h5::File file = h5::File::open_read(directory.file("run.h5"));

  using Names = std::vector<std::string>;
  CHECK(file.names() ==
        Names{"config", "environment", "eval", "overlap", "staleness", "steps", "timing", "train"});
  CHECK(file.group("train").names() == Names{"accuracy", "epoch", "images_per_s", "local_lr",
                                             "loss", "lr", "samples", "seconds", "step"});
  CHECK(file.group("eval").names() ==
        Names{"epoch", "loss", "samples", "seconds", "step", "top1", "top5"});
  CHECK(file.group("steps").names() == Names{"compute", "in_flight", "input", "local_update",
                                             "post", "pull", "push", "rank", "seconds", "step",
                                             "wait"});
  CHECK(file.group("timing").names() == Names{"bytes_pulled",
                                              "bytes_pushed",
                                              "compute",
                                              "epoch",
                                              "hidden_share",
                                              "in_flight",
                                              "index",
                                              "input",
                                              "local_update",
                                              "measured_in_flight",
                                              "measured_steps",
                                              "measured_wait",
                                              "other",
                                              "peak_memory_bytes",
                                              "post",
                                              "progress_cpu",
                                              "pull",
                                              "push",
                                              "rank",
                                              "role",
                                              "seconds",
                                              "steps",
                                              "wait"});
  CHECK(file.group("overlap").names().size() == 1 + 8 * 3);
  CHECK(file.group("staleness").names() == Names{"count", "value"});
  CHECK(file.attribute_as<std::string>("format") == "odsgd run log");
  CHECK(file.attribute_as<std::int64_t>("format_version") == 2);
  CHECK(file.group("config").attribute_as<std::string>("toml") == "model = \"lenet\"\nlr = 0.05\n");
  CHECK(file.group("config").attribute_as<double>("lr") == 0.05);
  CHECK(file.dataset("train/loss").read<double>() == std::vector<double>{2, 1, 2.0 / 3, 0.5});
  CHECK(file.dataset("timing/rank").read<std::int64_t>() ==
        std::vector<std::int64_t>{0, 1, 2, 0, 1, 2});
  CHECK(file.dataset("staleness/count").read<std::int64_t>() == std::vector<std::int64_t>{4, 76});
  CHECK(file.attribute_as<double>("images_per_s") == 40);
  CHECK(file.attribute_as<std::int64_t>("steps") == 20);
}

TEST_CASE("the status says how a run ended") {
  const test::TemporaryDirectory directory;
  const auto path = [&](const char* name) { return directory.file(name); };
  {
    RunLog log(path("running.h5"), test::sample_description());
    CHECK(status_of(path("running.h5")) == "running");
  }
  CHECK(status_of(path("running.h5")) == "failed: ended early");

  write_finished(path("finished.h5"), test::sample_rows());
  CHECK(status_of(path("finished.h5")) == "finished");

  RunLog failed(path("failed.h5"), test::sample_description());
  failed.fail("worker 2: loss is nan");
  failed.fail("another error later");
  CHECK(status_of(path("failed.h5")) == "failed: worker 2: loss is nan");
  CHECK(says(error_text([&] { failed.finish(); }), "is closed, cannot be finished"));
}

TEST_CASE("a log is not written over another, nor into a missing directory") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  write_finished(path, test::sample_rows());

  CHECK(error_text([&] { RunLog(path, test::sample_description()); }) ==
        path + ": exists already, want a new file (it is never overwritten)");
  CHECK(status_of(path) == "finished");
  const std::string nowhere = directory.file("no/run.h5");
  CHECK(error_text([&] { RunLog(nowhere, test::sample_description()); }) ==
        nowhere + ": cannot create: No such file or directory");
}

TEST_CASE("two runs that differ in times alone differ in the measured paths alone") {
  const test::TemporaryDirectory directory;
  write_finished(directory.file("a.h5"), test::sample_rows(1));
  write_finished(directory.file("b.h5"), test::sample_rows(3));
  const h5::File a = h5::File::open_read(directory.file("a.h5"));
  const h5::File b = h5::File::open_read(directory.file("b.h5"));

  std::set<std::string> different;
  for (const std::string& name : a.attribute_names()) {
    if (a.attribute(name) != b.attribute(name)) different.insert("/@" + name);
  }
  for (const char* table : {"train", "eval", "timing", "overlap", "staleness"}) {
    for (const std::string& name : a.group(table).names()) {
      const auto x = a.group(table).dataset(name);
      const auto y = b.group(table).dataset(name);
      const bool same = x.fits(h5::Type::kInt64) ? x.read<std::int64_t>() == y.read<std::int64_t>()
                                                 : x.read<double>() == y.read<double>();
      if (!same) different.insert(std::string("/") + table + "/" + name);
    }
  }

  const auto measured = a.attribute_as<std::vector<std::string>>("measured");
  CHECK(measured == measured_paths());
  for (const std::string& path : different) {
    CAPTURE(path);
    CHECK(std::find(measured.begin(), measured.end(), path) != measured.end());
  }
  CHECK(different.contains("/train/seconds"));
  CHECK(different.contains("/timing/wait"));
  CHECK(different.contains("/@images_per_s"));
  CHECK_FALSE(different.contains("/train/loss"));
}

TEST_CASE("the staleness is replaced, not added to") {
  const test::TemporaryDirectory directory;
  RunLog log(directory.file("run.h5"), test::sample_description());

  log.set_staleness(std::vector<StalenessRow>{{0, 4}, {2, 3}});
  log.set_staleness(std::vector<StalenessRow>{{0, 8}, {1, 1}, {2, 6}});

  const h5::File file = h5::File::open_read(directory.file("run.h5"));
  CHECK(file.dataset("staleness/value").read<std::int64_t>() == std::vector<std::int64_t>{0, 1, 2});
  CHECK(file.dataset("staleness/count").read<std::int64_t>() == std::vector<std::int64_t>{8, 1, 6});
}

TEST_CASE("h5dump and h5py read a log, also one that is being written") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  RunLog log(path, test::sample_description());
  test::add_all(log, test::sample_rows());  // open for writing from here on

  if (test::runs("h5dump --version")) {
    const auto dump = test::shell("h5dump -d /train/step " + path);
    CHECK(dump.status == 0);
    CHECK(says(dump.output, "(0): 5, 10, 15, 20"));
    CHECK(says(dump.output, "\"steps done\""));
  } else {
    MESSAGE("h5dump is missing: its view is not tested");
  }
  if (test::runs("/usr/bin/python3 -c 'import h5py'")) {
    const auto python = test::shell(
        "/usr/bin/python3 -c \"import h5py; f = h5py.File('" + path +
        "', 'r'); print(f['eval/epoch'][:].tolist(), f['train/loss'][0], f.attrs['status'], "
        "f['config'].attrs['toml'].splitlines()[1], f['environment'].attrs['hosts'][2])\"");
    CHECK(python.output == "[1, 2] 2.0 running lr = 0.05 n2\n");
  } else {
    MESSAGE("h5py is missing: its view is not tested");
  }
}
