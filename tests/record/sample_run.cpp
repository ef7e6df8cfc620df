#include "record/sample_run.hpp"

#include <cstdint>

namespace odsgd::test {
namespace {

TimingRow worker_timing(std::int64_t epoch, std::int64_t worker, double wait, double slowness) {
  TimingRow row;
  row.epoch = epoch;
  row.rank = 1 + worker;
  row.role = kWorkerRole;
  row.index = worker;
  row.steps = 10;
  row.seconds = 2 * slowness;
  row.compute = 1.25 * slowness;
  row.input = 0.0625 * slowness;
  row.wait = wait * slowness;
  row.local_update = 0.125 * slowness;
  row.post = 0.0625 * slowness;
  row.other = (0.5 - wait) * slowness;
  row.push = 0.5 * slowness;
  row.pull = 0.75 * slowness;
  row.in_flight = 1.25 * slowness;
  row.measured_steps = 8;
  row.measured_wait = wait * slowness;
  row.measured_in_flight = 1 * slowness;
  row.progress_cpu = 0.125 * slowness;
  row.bytes_pushed = 1048576;
  row.bytes_pulled = 2097152;
  row.hidden_share = 1 - wait;
  row.peak_memory_bytes = (100 + epoch + worker) * 1048576;
  return row;
}

TimingRow server_timing(std::int64_t epoch, double slowness) {
  TimingRow row;
  row.epoch = epoch;
  row.role = kServerRole;
  row.steps = 10;
  row.progress_cpu = 0.0625 * slowness;
  row.seconds = 2 * slowness;
  row.compute = 0.5 * slowness;
  row.other = 1.5 * slowness;
  row.bytes_pushed = 4194304;
  row.bytes_pulled = 2097152;
  row.peak_memory_bytes = 50 * 1048576;
  return row;
}

}  // namespace

RunDescription sample_description() {
  return {.command_line = "odsgd train --model lenet",
          .toml = "model = \"lenet\"\nlr = 0.05\n",
          .config = {{"model", std::string("lenet")},
                     {"lr", 0.05},
                     {"epochs", std::int64_t{2}},
                     {"seed", std::uint64_t{1}},
                     {"progress", false}},
          .environment = {{"hosts", std::vector<std::string>{"n1", "n1", "n2"}},
                          {"mpi", std::string("Open MPI 4.1.4")}}};
}

RunRows sample_rows(double slowness) {
  RunRows rows;
  for (std::int64_t i = 1; i <= 4; ++i) {
    const auto n = static_cast<double>(i);
    rows.train.push_back({.step = 5 * i,
                          .epoch = n / 2,
                          .loss = 2 / n,
                          .accuracy = 1 - 0.5 / n,
                          .lr = 0.05,
                          .samples = 40 * i,
                          .seconds = n * slowness,
                          .images_per_s = 40 / slowness});
  }
  for (std::int64_t epoch = 1; epoch <= 2; ++epoch) {
    const auto n = static_cast<double>(epoch);
    rows.eval.push_back({.epoch = epoch,
                         .step = 10 * epoch,
                         .loss = 1 / n,
                         .top1 = 0.5 + 0.2 * n,
                         .top5 = 0.75 + 0.1 * n,
                         .samples = 100,
                         .seconds = 0.5 * slowness});
    rows.timing.push_back(server_timing(epoch, slowness));
    rows.timing.push_back(worker_timing(epoch, 0, epoch == 1 ? 0.125 : 0.375, slowness));
    rows.timing.push_back(worker_timing(epoch, 1, 0.5, slowness));
  }
  rows.staleness = {{0, 4}, {1, 76}};
  return rows;
}

void add_all(RunLog& log, const RunRows& rows) {
  for (const TrainRow& row : rows.train) log.add(row);
  for (const EvalRow& row : rows.eval) log.add(row);
  log.add(rows.timing);
  log.set_staleness(rows.staleness);
}

}  // namespace odsgd::test
