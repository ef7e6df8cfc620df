#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "h5/temporary_directory.hpp"
#include "odsgd/record/run_log.hpp"
#include "odsgd/record/run_summary.hpp"
#include "record/sample_run.hpp"

using namespace odsgd;

namespace {

TrainRow row_of_step(std::int64_t step) {
  TrainRow row;
  row.step = step;
  row.loss = 1.0 / static_cast<double>(step);
  return row;
}

/// A process that adds rows of step 1, 2, ... until it is killed, and says so after each.
class Writer {
 public:
  Writer(const std::string& path, useconds_t pause_us) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    child_ = fork();
    if (child_ == 0) {
      close(ends[0]);
      RunLog log(path, test::sample_description());
      for (std::int64_t step = 1;; ++step) {
        log.add(row_of_step(step));
        if (write(ends[1], "+", 1) != 1) _exit(1);
        usleep(pause_us);
      }
    }
    close(ends[1]);
    acknowledged_ = ends[0];
  }
  ~Writer() {
    if (child_ > 0) kill_now();
    close(acknowledged_);
  }

  void wait_for_rows(int count) {
    char c = 0;
    for (int i = 0; i < count; ++i) REQUIRE(read(acknowledged_, &c, 1) == 1);
  }

  /// Returns how many more rows it had said were added.
  int kill_now() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
    int more = 0;
    for (char c = 0; read(acknowledged_, &c, 1) == 1;) ++more;
    return more;
  }

 private:
  pid_t child_ = -1;
  int acknowledged_ = -1;
};

/// A row that was not yet acknowledged may be there, in parts too.
void check_rows(const RunSummary& run, std::size_t acknowledged) {
  CHECK(run.status == "running");
  REQUIRE(run.rows.train.size() >= acknowledged);
  bool all_right = true;
  for (std::size_t i = 0; i < acknowledged; ++i) {
    const TrainRow want = row_of_step(static_cast<std::int64_t>(i) + 1);
    all_right =
        all_right && run.rows.train[i].step == want.step && run.rows.train[i].loss == want.loss;
  }
  CHECK(all_right);
}

}  // namespace

TEST_CASE("a killed writer leaves a log that opens, with every row that it had flushed") {
  const test::TemporaryDirectory directory;
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    const std::string path = directory.file(std::to_string(round) + ".h5");
    Writer writer(path, 0);
    const int waited = 1 + 29 * round;  // up to 552: beyond two pieces of a data set
    writer.wait_for_rows(waited);
    const int more = writer.kill_now();

    check_rows(read_run(path), static_cast<std::size_t>(waited + more));
  }
}

TEST_CASE("a log is read while another process writes it") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.file("run.h5");
  Writer writer(path, 1000);
  for (int round = 1; round <= 30; ++round) {
    writer.wait_for_rows(10);

    check_rows(read_run(path), static_cast<std::size_t>(10 * round));
  }
}
