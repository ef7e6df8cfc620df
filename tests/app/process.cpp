#include "app/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "odsgd/base/error.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd::test {
namespace {

constexpr double kLongestRun_s = 200;  // under a sanitizer
constexpr double kLongestEnd_s = 10;

std::string content_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> all;
  std::error_code error;
  const std::string tasks = fmt::format("/proc/{}/task", parent);
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) all.push_back(child);
  }
  return all;
}

bool becomes_true(double within_s, const std::function<bool()>& is_true) {
  const double end_s = now_s() + within_s;
  while (!is_true()) {
    if (now_s() > end_s) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Reaps whichever children have ended; whether none is left.
bool all_gone() {
  for (;;) {
    const pid_t gone = waitpid(-1, nullptr, WNOHANG);
    if (gone == 0) return false;
    if (gone < 0 && errno != EINTR) return true;
  }
}

void kill_all() {
  while (!becomes_true(0.1, all_gone)) {
    for (const pid_t child : children_of(getpid())) kill(child, SIGKILL);
  }
}

[[noreturn]] void become(const std::vector<std::string>& words, const std::string& directory,
                         const std::string& out, const std::string& err) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int input = open("/dev/null", O_RDONLY);
  const int output = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int errors = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const bool is_ready =
      dup2(input, STDIN_FILENO) == STDIN_FILENO && dup2(output, STDOUT_FILENO) == STDOUT_FILENO &&
      dup2(errors, STDERR_FILENO) == STDERR_FILENO && chdir(directory.c_str()) == 0;
  for (const int file : {input, output, errors}) close(file);
  if (is_ready) execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& words, const std::string& directory)
    : out_(directory + "/stdout.txt"), err_(directory + "/stderr.txt") {
  for (const std::string& word : words) name_ += (name_.empty() ? "" : " ") + word;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_ = fork();
  ODSGD_REQUIRE(pid_ >= 0, "{}: cannot start", name_);
  if (pid_ == 0) become(words, directory, out_, err_);
}

Process::~Process() { kill_all(); }

bool Process::has_ended() {
  if (is_running_ && waitpid(pid_, &status_, WNOHANG) == pid_) is_running_ = false;
  return !is_running_;
}

void Process::wait_for_output(const std::string& text) {
  bool is_there = false;
  becomes_true(30, [&] {
    is_there = content_of_file(out_).find(text) != std::string::npos;
    return is_there || has_ended();
  });
  ODSGD_REQUIRE(is_there, "{}: got no output `{}`, but {}{}", name_, text, content_of_file(out_),
                content_of_file(err_));
}

std::vector<pid_t> Process::children() const { return children_of(pid_); }

Outcome Process::wait() {
  ODSGD_REQUIRE(becomes_true(kLongestRun_s, [&] { return has_ended(); }),
                "{}: still runs after {} s", name_, kLongestRun_s);
  const double end_s = now_s();
  ODSGD_REQUIRE(becomes_true(kLongestEnd_s, all_gone), "{}: left processes behind for {} s", name_,
                kLongestEnd_s);
  return {.exit_code = WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_),
          .out = content_of_file(out_),
          .err = content_of_file(err_),
          .lingered_s = now_s() - end_s};
}

Outcome run(const std::vector<std::string>& words, const std::string& directory) {
  return Process(words, directory).wait();
}

}  // namespace odsgd::test
