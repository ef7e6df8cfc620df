#include "mpi_endpoint.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <condition_variable>
#include <deque>
#include <exception>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

#include "mpi_check.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int kTag = 1;

/// Open MPI moves large messages only while somebody calls it, so a thread that waits has to look
/// again and again. This pause between two looks costs about a tenth of a core; spinning would cost
/// all of it.
constexpr std::chrono::microseconds kPause{50};

/// All MPI calls are made by the thread that receives: post() only queues, and wakes that thread.
class MpiEndpoint final : public Endpoint {
 public:
  MpiEndpoint() {
    ODSGD_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm_));
    ODSGD_MPI(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
    ODSGD_MPI(MPI_Comm_rank(comm_, &rank_));
    ODSGD_MPI(MPI_Comm_size(comm_, &size_));
    blocked_.resize(static_cast<std::size_t>(size_));
  }
  ~MpiEndpoint() override {
    // With operations pending or an exception on its way the job is about to be aborted: free
    // nothing MPI still uses.
    const bool is_pending = !sends_.empty() || !receives_.empty();
    if (is_pending) leak_pending();
    if (!is_pending && std::uncaught_exceptions() == 0) MPI_Comm_free(&comm_);
  }
  MpiEndpoint(const MpiEndpoint&) = delete;
  MpiEndpoint& operator=(const MpiEndpoint&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::size_t unsent() const override { return unsent_.load(std::memory_order_acquire); }

  void post(int destination, Payload payload) override {
    ODSGD_REQUIRE(destination >= 0 && destination < size_, "post: got rank {}, want 0 to {}",
                  destination, size_ - 1);
    ODSGD_REQUIRE(payload->size() <= INT_MAX, "post: got {} bytes, want at most {}",
                  payload->size(), INT_MAX);
    unsent_.fetch_add(1, std::memory_order_acq_rel);
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back({destination, std::move(payload)});
    }
    posted_.notify_one();
  }

  std::optional<Message> receive(std::chrono::microseconds patience) override {
    if (!fine_timers_) {
      use_fine_timers();
      fine_timers_ = true;
    }
    const auto end = SteadyClock::now() + patience;
    for (;;) {
      start_sends();
      finish_sends();
      match_arrivals();
      if (auto message = take_complete()) return message;
      if (SteadyClock::now() >= end) return std::nullopt;
      std::unique_lock lock(mutex_);
      posted_.wait_for(lock, kPause, [&] { return !queue_.empty(); });
    }
  }

 private:
  struct Posted {
    int destination;
    Payload payload;
  };
  struct Send {
    Payload payload;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Receive {
    int source;
    std::shared_ptr<Bytes> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void start_sends() {
    {
      const std::lock_guard lock(mutex_);
      std::swap(queue_, starting_);
    }
    for (Posted& posted : starting_) {
      Send& send = sends_.emplace_back();
      send.payload = std::move(posted.payload);
      ODSGD_MPI(MPI_Isend(send.payload->data(), static_cast<int>(send.payload->size()), MPI_BYTE,
                          posted.destination, kTag, comm_, &send.request));
    }
    starting_.clear();
  }

  void finish_sends() {
    for (auto send = sends_.begin(); send != sends_.end();) {
      if (is_done(send->request)) {
        send = sends_.erase(send);
        unsent_.fetch_sub(1, std::memory_order_acq_rel);
      } else {
        ++send;
      }
    }
  }

  void match_arrivals() {
    for (;;) {
      int found = 0;
      MPI_Message handle = MPI_MESSAGE_NULL;
      MPI_Status status;
      ODSGD_MPI(MPI_Improbe(MPI_ANY_SOURCE, kTag, comm_, &found, &handle, &status));
      if (found == 0) return;
      int count = 0;
      ODSGD_MPI(MPI_Get_count(&status, MPI_BYTE, &count));
      Receive& receive = receives_.emplace_back();
      receive.source = status.MPI_SOURCE;
      receive.bytes = buffers().take(static_cast<std::size_t>(count));
      ODSGD_MPI(MPI_Imrecv(receive.bytes->data(), count, MPI_BYTE, &handle, &receive.request));
    }
  }

  /// The first complete receive with no incomplete one of the same source before it.
  std::optional<Message> take_complete() {
    std::fill(blocked_.begin(), blocked_.end(), false);
    for (auto receive = receives_.begin(); receive != receives_.end(); ++receive) {
      const auto source = static_cast<std::size_t>(receive->source);
      if (blocked_[source]) continue;
      if (!is_done(receive->request)) {
        blocked_[source] = true;
        continue;
      }
      std::optional<Message> message({receive->source, std::move(receive->bytes)});
      receives_.erase(receive);
      return message;
    }
    return std::nullopt;
  }

  static bool is_done(MPI_Request& request) {
    int done = 0;
    ODSGD_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return done != 0;
  }

  void leak_pending() {
    // MPI still reads and writes these buffers; they must outlive this object.
    [[maybe_unused]] auto* sends = new std::list<Send>(std::move(sends_));
    [[maybe_unused]] auto* receives = new std::list<Receive>(std::move(receives_));
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = -1;
  int size_ = -1;
  bool fine_timers_ = false;

  std::mutex mutex_;  // guards queue_
  std::condition_variable posted_;
  std::vector<Posted> queue_;
  std::atomic<std::size_t> unsent_ = 0;

  // Of the receiving thread:
  std::vector<Posted> starting_;
  std::list<Send> sends_;
  std::list<Receive> receives_;
  std::vector<bool> blocked_;
};

}  // namespace

std::unique_ptr<Endpoint> make_mpi_endpoint() { return std::make_unique<MpiEndpoint>(); }

}  // namespace odsgd
