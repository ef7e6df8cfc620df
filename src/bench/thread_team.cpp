#include "thread_team.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "odsgd/base/host.hpp"

namespace odsgd {
namespace {

struct Interval {
  double begin_s = 0;
  double end_s = 0;
};

class Team {
 public:
  Team(int threads, int repetitions, const std::function<Work(int)>& make_work)
      : make_work_(make_work),
        barrier_(threads),
        intervals_(static_cast<std::size_t>(threads),
                   std::vector<Interval>(static_cast<std::size_t>(repetitions) + 1)) {}

  Samples run() {
    start_and_join();
    if (failure_) std::rethrow_exception(failure_);
    Samples seconds;
    for (std::size_t r = 1; r < intervals_.front().size(); ++r) {  // 0 has warmed up
      Interval all = intervals_.front()[r];
      for (const std::vector<Interval>& of_thread : intervals_) {
        all.begin_s = std::min(all.begin_s, of_thread[r].begin_s);
        all.end_s = std::max(all.end_s, of_thread[r].end_s);
      }
      seconds.values.push_back(all.end_s - all.begin_s);
    }
    return seconds;
  }

 private:
  void start_and_join() {
    std::vector<std::jthread> threads;
    threads.reserve(intervals_.size());
    try {
      while (threads.size() < intervals_.size())
        threads.emplace_back([this, i = threads.size()] { run_thread(i); });
    } catch (...) {
      fail(std::current_exception());
      // Those that were started wait for those that were not.
      for (std::size_t i = threads.size(); i < intervals_.size(); ++i) barrier_.arrive_and_drop();
    }
  }

  void run_thread(std::size_t i) {
    Work work;
    try {
      work = make_work_(static_cast<int>(i));
    } catch (...) {
      fail(std::current_exception());
    }
    barrier_.arrive_and_wait();
    if (failed_) return;
    for (Interval& interval : intervals_[i]) {
      barrier_.arrive_and_wait();
      interval.begin_s = now_s();
      work();
      interval.end_s = now_s();
    }
  }

  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    failed_ = true;
  }

  const std::function<Work(int)>& make_work_;
  std::barrier<> barrier_;
  std::vector<std::vector<Interval>> intervals_;  // by thread, by repetition
  std::mutex mutex_;                              // guards failure_ while threads run
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false;
};

}  // namespace

Samples time_together(int threads, int repetitions, const std::function<Work(int)>& make_work) {
  return Team(threads, repetitions, make_work).run();
}

}  // namespace odsgd
