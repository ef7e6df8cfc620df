#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace odsgd {

/// How far a training is.
struct Progress {
  std::int64_t epoch = 1;     ///< the present one, from 1
  std::int64_t epochs = 1;    ///< of the whole run
  std::int64_t step = 0;      ///< steps done in this epoch
  std::int64_t steps = 1;     ///< of an epoch
  bool is_benchmark = false;  ///< on the synthetic device: no loss or accuracy is shown
  double loss = 0;            ///< of the last logging interval, as the next two
  double accuracy = 0;        ///< in [0, 1]
  double images_per_s = 0;    ///< all workers
  double seconds_left = 0;    ///< to the end of the run; negative: unknown
};

/// What is said of a finished epoch.
struct EpochReport {
  std::int64_t epoch = 1;
  std::int64_t epochs = 1;
  bool is_benchmark = false;  ///< as in Progress
  double train_loss = 0;
  double train_accuracy = 0;
  std::optional<double> test_loss;  ///< none: the epoch was not evaluated
  std::optional<double> test_top1;
  double images_per_s = 0;
  double seconds = 0;  ///< training time of the epoch
};

/// One line of at most `width` columns, all ASCII: epoch, bar, step, loss, accuracy, images/s, time
/// left. What does not fit is left out, the least important first.
std::string progress_line(const Progress& progress, int width);

std::string epoch_line(const EpochReport& report);

/// "7 s", "3:05", "1:02:05"; "-" when negative or not finite.
std::string duration_text(double seconds);

/// Shows a training on a terminal as a line that is redrawn at most 10 times a second; elsewhere
/// (file, pipe) only as one line an epoch. Threads: one.
class ProgressBar {
 public:
  /// `out` is not owned. Whether it is a terminal is for the caller to say: under a launcher a
  /// rank cannot see it.
  ProgressBar(std::FILE* out, bool is_terminal);
  ~ProgressBar();  ///< removes the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `now_s` is the monotonic time; calls less than 0.1 s after the last drawing do nothing.
  void update(const Progress& progress, double now_s);

  void end_epoch(const EpochReport& report);  ///< prints its line for good

  void clear();  ///< removes the line, so that something else can be printed

 private:
  std::FILE* out_;
  bool is_terminal_;
  bool is_drawn_ = false;
  double drawn_s_ = -1e9;
};

}  // namespace odsgd
