#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "odsgd/record/progress.hpp"

namespace odsgd {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr const char* kEraseLine = "\r\x1b[K";

int columns(int file) {
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// Columns of the terminal less one: a line that fills the last column wraps on some terminals.
int usable_width(std::FILE* out) {
  int width = columns(fileno(out));
  if (width == 0) {  // a launcher's pipe: on its own host the terminal behind it can be asked
    const int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal >= 0) {
      width = columns(terminal);
      close(terminal);
    }
  }
  return width > 0 ? width - 1 : 79;
}

void print(std::FILE* out, const std::string& text) {
  std::fputs(text.c_str(), out);
  std::fflush(out);
}

}  // namespace

ProgressBar::ProgressBar(std::FILE* out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::update(const Progress& progress, double now_s) {
  if (!is_terminal_ || now_s - drawn_s_ < kRedrawSeconds) return;
  print(out_, kEraseLine + progress_line(progress, usable_width(out_)));
  drawn_s_ = now_s;
  is_drawn_ = true;
}

void ProgressBar::end_epoch(const EpochReport& report) {
  clear();
  print(out_, epoch_line(report) + "\n");
}

void ProgressBar::clear() {
  if (is_drawn_) print(out_, kEraseLine);
  is_drawn_ = false;
}

}  // namespace odsgd
