#include "mpi_endpoint.hpp"

#include <mpi.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "mpi_check.hpp"
#include "mpi_inbox.hpp"
#include "mpi_outbox.hpp"
#include "mpi_requests.hpp"
#include "mpi_sums.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// Open MPI moves large messages only while somebody calls it, so a thread that waits has to look
/// again and again. For this long after something has moved it does so at once, giving its core to
/// whoever wants it; then it sleeps between two looks, for a sixteenth of the time that nothing has
/// moved, within these bounds. Spinning would cost a whole core, and 50 us cost about a tenth.
constexpr microseconds kSpin{100};
constexpr microseconds kShortestPause{50};
constexpr microseconds kLongestPause{500};

/// The window to each rank, and from it.
std::vector<MpiWindow> windows_of(MPI_Comm comm, const MpiLimits& limits) {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group here = MPI_GROUP_NULL;
  int size = 0;
  ODSGD_MPI(MPI_Comm_size(comm, &size));
  ODSGD_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
  ODSGD_MPI(MPI_Comm_group(comm, &all));
  ODSGD_MPI(MPI_Comm_group(host, &here));
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> on_host(ranks.size());
  ODSGD_MPI(MPI_Group_translate_ranks(all, size, ranks.data(), here, on_host.data()));
  ODSGD_MPI(MPI_Group_free(&here));
  ODSGD_MPI(MPI_Group_free(&all));
  ODSGD_MPI(MPI_Comm_free(&host));
  std::vector<MpiWindow> windows;
  for (const int place : on_host) {
    windows.push_back(place == MPI_UNDEFINED ? limits.between_hosts : limits.on_host);
  }
  return windows;
}

/// All MPI calls are made by the thread that receives: post() only queues, and wakes that thread.
class MpiEndpoint final : public Endpoint {
 public:
  explicit MpiEndpoint(const MpiLimits& limits) {
    ODSGD_REQUIRE(limits.part_bytes >= 1 && limits.part_bytes <= INT32_MAX,
                  "MPI: got parts of {} bytes, want 1 to {}", limits.part_bytes, INT32_MAX);
    ODSGD_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm_));
    ODSGD_MPI(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
    ODSGD_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &sums_comm_));
    ODSGD_MPI(MPI_Comm_set_errhandler(sums_comm_, MPI_ERRORS_RETURN));
    ODSGD_MPI(MPI_Comm_rank(comm_, &rank_));
    ODSGD_MPI(MPI_Comm_size(comm_, &size_));
    const std::vector<MpiWindow> windows = windows_of(comm_, limits);
    under_way_ = std::make_unique<UnderWay>(
        rank_, windows, limits.part_bytes,
        [this](int source, const Envelope& envelope, std::size_t bytes,
               bool may_wait) -> std::optional<Draft> {
          const Place place = landing_of(source, envelope, bytes, may_wait);
          if (place.is_later && may_wait) return std::nullopt;
          return draft_at(place, bytes);
        },
        [this](const Envelope& envelope, std::size_t bytes) {
          return draft_at(landing_of(rank_, envelope, bytes, false), bytes);
        });
    under_way_->inbox.start(comm_, under_way_->requests);
  }
  ~MpiEndpoint() override {
    // With operations pending or an exception on its way the job is about to be aborted, and MPI
    // still reads and writes this memory: it must outlive this object.
    if (under_way_->requests.transfers() > 0 || std::uncaught_exceptions() > 0) {
      [[maybe_unused]] const auto* leaked = under_way_.release();
      return;
    }
    under_way_->requests.cancel_envelopes();
    MPI_Comm_free(&sums_comm_);
    MPI_Comm_free(&comm_);
  }
  MpiEndpoint(const MpiEndpoint&) = delete;
  MpiEndpoint& operator=(const MpiEndpoint&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::size_t unsent() const override {
    return under_way_->outbox.unsent() + under_way_->sums.unsent();
  }

  void post(int destination, const Envelope& envelope, Payload body, int urgency) override {
    ODSGD_REQUIRE(destination >= 0 && destination < size_, "post: got rank {}, want 0 to {}",
                  destination, size_ - 1);
    under_way_->outbox.queue(destination, envelope, std::move(body), urgency);
    wake();
  }
  using Endpoint::post;

  void sum(const Envelope& envelope, Payload mine) override {
    under_way_->sums.queue(envelope, std::move(mine));
    wake();
  }

  std::optional<Message> receive(microseconds patience) override {
    if (!fine_timers_) {
      use_fine_timers();
      fine_timers_ = true;
    }
    const auto end = SteadyClock::now() + patience;
    for (;;) {
      if (look()) moved_at_ = SteadyClock::now();
      if (auto message = under_way_->sums.take_complete()) return message;
      if (auto message = under_way_->inbox.take_complete()) return message;
      const auto now = SteadyClock::now();
      if (now >= end) return std::nullopt;
      pause(now);
    }
  }

 private:
  /// What MPI may still use when this endpoint is gone.
  struct UnderWay {
    UnderWay(int rank, const std::vector<MpiWindow>& windows, std::size_t part_bytes,
             MpiInbox::Landing landing, MpiSums::Landing landing_of_sum)
        : outbox(rank, windows, part_bytes),
          inbox(windows, part_bytes, std::move(landing)),
          sums(rank, std::move(landing_of_sum)) {}
    MpiRequests requests;
    MpiOutbox outbox;
    MpiInbox inbox;
    MpiSums sums;
  };

  Draft draft_at(const Place& place, std::size_t bytes) {
    if (place.memory.empty()) return buffers().take(bytes);
    return {place.memory, Payload(place.memory)};
  }

  void wake() {
    // Under the mutex, or the news could fall between the receiving thread's last look and its
    // sleep.
    { const std::lock_guard lock(mutex_); }
    posted_.notify_one();
  }

  /// Lets MPI go on, and starts what can be started; returns whether anything has moved.
  bool look() {
    UnderWay& u = *under_way_;
    bool has_moved = u.outbox.start(comm_, u.requests);
    has_moved |= u.sums.start(sums_comm_, u.requests);
    for (const MpiRequests::Done& done : u.requests.test()) {
      has_moved = true;
      switch (done.kind) {
        case MpiRequests::Kind::kSend:
          u.outbox.ended(done);
          break;
        case MpiRequests::Kind::kEnvelope:
          u.inbox.envelope_ended(done);
          break;
        case MpiRequests::Kind::kBody:
          u.inbox.body_ended(done);
          break;
        case MpiRequests::Kind::kSum:
          u.sums.ended(done);
          break;
      }
    }
    u.inbox.open_envelopes(comm_, u.requests);
    u.inbox.receive_bodies(comm_, u.requests);
    return has_moved;
  }

  void pause(SteadyClock::time_point now) {
    const auto idle = std::chrono::duration_cast<microseconds>(now - moved_at_);
    if (idle < kSpin) {
      std::this_thread::yield();
      return;
    }
    // A sum goes through several stages that do not show as moves.
    const auto longest = under_way_->sums.unsent() > 0 ? kShortestPause : kLongestPause;
    std::unique_lock lock(mutex_);
    posted_.wait_for(lock, std::clamp(idle / 16, kShortestPause, longest),
                     [&] { return under_way_->outbox.has_news() || under_way_->sums.has_news(); });
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Comm sums_comm_ = MPI_COMM_NULL;  // for collectives, which none of the messages may meet
  int rank_ = -1;
  int size_ = -1;
  bool fine_timers_ = false;
  SteadyClock::time_point moved_at_ = SteadyClock::now();

  std::mutex mutex_;  // goes with posted_
  std::condition_variable posted_;
  std::unique_ptr<UnderWay> under_way_;
};

}  // namespace

std::unique_ptr<Endpoint> make_mpi_endpoint(const MpiLimits& limits) {
  return std::make_unique<MpiEndpoint>(limits);
}

}  // namespace odsgd
