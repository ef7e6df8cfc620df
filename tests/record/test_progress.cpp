#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "odsgd/record/progress.hpp"

using namespace odsgd;

namespace {

const Progress kHalf{.epoch = 3,
                     .epochs = 10,
                     .step = 469,
                     .steps = 938,
                     .loss = 0.12345,
                     .accuracy = 0.9712,
                     .images_per_s = 24345.6,
                     .seconds_left = 185};

const EpochReport kReport{.epoch = 3,
                          .epochs = 10,
                          .train_loss = 0.12345,
                          .train_accuracy = 0.9712,
                          .test_loss = 0.05,
                          .test_top1 = 0.98761,
                          .images_per_s = 24345.6,
                          .seconds = 2.46};

constexpr const char* kReportLine =
    "epoch 3/10: train loss 0.1235, accuracy 97.12 %; test loss 0.0500, accuracy 98.76 %; "
    "24346 images/s, 2.5 s";

/// A terminal of this program's own (a pty): what is printed to out() comes out of printed().
class Terminal {
 public:
  explicit Terminal(unsigned short columns) {
    master_ = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(master_ >= 0);
    REQUIRE(grantpt(master_) == 0);
    REQUIRE(unlockpt(master_) == 0);
    out_ = std::fopen(ptsname(master_), "w");
    REQUIRE(out_ != nullptr);
    winsize size{};
    size.ws_col = columns;
    size.ws_row = 24;
    REQUIRE(ioctl(master_, TIOCSWINSZ, &size) == 0);
  }
  ~Terminal() {
    std::fclose(out_);
    close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::FILE* out() const { return out_; }
  /// What has been printed since the last call. The kernel hands it over bit by bit, in its own
  /// time: a mark behind it says when all of it is there.
  std::string printed() const {
    constexpr char kMark = '\x01';
    REQUIRE(std::fputc(kMark, out_) == kMark);
    REQUIRE(std::fflush(out_) == 0);
    std::string text;
    while (text.empty() || text.back() != kMark) {
      pollfd readable{.fd = master_, .events = POLLIN, .revents = 0};
      REQUIRE(poll(&readable, 1, 10'000) == 1);
      std::array<char, 4096> part;
      const ssize_t got = read(master_, part.data(), part.size());
      REQUIRE(got > 0);
      text.append(part.data(), static_cast<std::size_t>(got));
    }
    text.pop_back();
    return text;
  }

 private:
  int master_ = -1;
  std::FILE* out_ = nullptr;
};

}  // namespace

TEST_CASE("a progress line at 40 columns keeps epoch, step, loss and time left") {
  CHECK(progress_line(kHalf, 40) == "epoch 3/10 469/938 loss 0.1235 3:05 left");
}

TEST_CASE("a progress line at 80 columns has all parts and a bar that fills the rest") {
  CHECK(progress_line(kHalf, 80) ==
        "epoch 3/10 [=======>      ] 469/938 loss 0.1235 acc 97.12% 24346 img/s 3:05 left");
}

TEST_CASE("a progress line at 200 columns has a bar of 42") {
  CHECK(progress_line(kHalf, 200) ==
        "epoch 3/10 [====================>                   ] 469/938 loss 0.1235 acc 97.12% "
        "24346 img/s 3:05 left");
}

TEST_CASE("a progress line is never wider than it may be") {
  Progress long_one = kHalf;
  long_one.epochs = 10000;
  long_one.steps = 123456789;
  long_one.loss = 1e9;
  long_one.seconds_left = 1e6;
  for (int width = 0; width <= 220; ++width) {
    CAPTURE(width);
    CHECK(progress_line(kHalf, width).size() <= static_cast<std::size_t>(width));
    CHECK(progress_line(long_one, width).size() <= static_cast<std::size_t>(width));
  }
}

TEST_CASE("the bar is empty at the start, full at the end, and stands odd numbers") {
  Progress p = kHalf;
  p.seconds_left = -1;
  p.step = 0;
  CHECK(progress_line(p, 70) ==
        "epoch 3/10 [>               ] 0/938 loss 0.1235 acc 97.12% 24346 img/s");
  p.step = 938;
  CHECK(progress_line(p, 63) == "epoch 3/10 [=======] 938/938 loss 0.1235 acc 97.12% 24346 img/s");
  p.step = 2000;
  p.loss = std::nan("");
  CHECK(progress_line(p, 63) == "epoch 3/10 [=========] 2000/938 loss nan acc 97.12% 24346 img/s");
  p.steps = 0;
  CHECK(progress_line(p, 30) == "epoch 3/10 2000/0 loss nan");
}

TEST_CASE("a benchmark shows neither loss nor accuracy, and whose images it counts") {
  Progress p = kHalf;
  p.is_benchmark = true;
  EpochReport report = kReport;
  report.is_benchmark = true;

  CHECK(progress_line(p, 60) == "epoch 3/10 [====>    ] 469/938 24346 pretend img/s 3:05 left");
  CHECK(epoch_line(report) ==
        "epoch 3/10: benchmark; 24346 images/s of the synthetic device, 2.5 s");
}

TEST_CASE("durations read like a clock") {
  CHECK(duration_text(0) == "0 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(59.6) == "1:00");
  CHECK(duration_text(185) == "3:05");
  CHECK(duration_text(3725) == "1:02:05");
  CHECK(duration_text(-1) == "-");
  CHECK(duration_text(std::nan("")) == "-");
}

TEST_CASE("an epoch's line says what was measured, and no test values without an evaluation") {
  CHECK(epoch_line(kReport) == kReportLine);
  EpochReport untested = kReport;
  untested.test_loss.reset();
  untested.test_top1.reset();
  CHECK(epoch_line(untested) ==
        "epoch 3/10: train loss 0.1235, accuracy 97.12 %; 24346 images/s, 2.5 s");
}

TEST_CASE("without a terminal there is one plain line an epoch and nothing else") {
  std::FILE* out = std::tmpfile();
  REQUIRE(out != nullptr);
  {
    ProgressBar bar(out, false);
    bar.update(kHalf, 1);
    bar.update(kHalf, 2);
    bar.end_epoch(kReport);
    bar.update(kHalf, 3);
  }
  std::rewind(out);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), out));
  std::fclose(out);

  CHECK(text == std::string(kReportLine) + "\n");
}

TEST_CASE("a terminal's line is as wide as it allows, and redrawn at most 10 times a second") {
  const Terminal terminal(41);
  const std::string line = "\r\x1b[Kepoch 3/10 469/938 loss 0.1235 3:05 left";
  ProgressBar bar(terminal.out(), true);

  bar.update(kHalf, 5.0);
  CHECK(terminal.printed() == line);
  bar.update(kHalf, 5.05);
  bar.update(kHalf, 5.09);
  CHECK(terminal.printed().empty());
  bar.update(kHalf, 5.125);
  CHECK(terminal.printed() == line);
}

TEST_CASE("on a terminal an epoch's line takes the place of the bar") {
  const Terminal terminal(41);
  {
    ProgressBar bar(terminal.out(), true);
    bar.update(kHalf, 5.0);
    terminal.printed();
    bar.end_epoch(kReport);
    CHECK(terminal.printed() == std::string("\r\x1b[K") + kReportLine + "\r\n");
    bar.update(kHalf, 6.0);
    terminal.printed();
  }
  CHECK(terminal.printed() == "\r\x1b[K");
}
