#pragma once

#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "odsgd/base/error.hpp"
#include "odsgd/ps/protocol.hpp"
#include "odsgd/ps/server.hpp"
#include "work_times.hpp"

namespace odsgd {

/// What a note is about; travels in the header's slice field.
enum class Topic : std::uint32_t {
  kHello,          ///< any rank to rank 0: its options and host, as JSON
  kVerdict,        ///< rank 0 to all: whether the run begins, as JSON
  kInterval,       ///< worker to worker 0: IntervalReport, then StepReports
  kEpoch,          ///< worker to worker 0: WorkerReport
  kDivergence,     ///< any rank to worker 0: DivergenceReport
  kServerRequest,  ///< worker 0 to server: wants a server report
  kServer,         ///< server to worker 0: ServerReport, then pairs of staleness and count
  kProceed,        ///< worker 0 to worker: the epoch is recorded
  kClockRequest,   ///< worker 0 to any: wants its time; PingPong, as the next
  kClockAnswer,    ///< any to worker 0
  kClockMap,       ///< worker 0 to any: ClockMap, how its times become those of worker 0
};

/// Where one step's time went.
struct StepReport {
  std::uint64_t step = 0;  ///< counted from 1
  WorkTimes times{};
};

/// Training on one worker since its last report; the note goes on with its StepReports.
struct IntervalReport {
  std::uint64_t last_step = 0;  ///< counted from 1
  double loss_sum = 0;          ///< of samples
  std::uint64_t correct = 0;
  std::uint64_t samples = 0;
};

/// The first number of a rank that is not finite.
struct DivergenceReport {
  enum class What : std::uint32_t { kLoss, kGradient, kWeights };
  std::uint64_t step = 0;  ///< counted from 1
  What what = What::kLoss;
  std::uint32_t key = 0;    ///< of gradient or weights
  std::int32_t worker = 0;  ///< whose loss or gradient it is
  float value = 0;
};

/// One worker's epoch: its share of the evaluation, and where its time went.
struct WorkerReport {
  std::uint64_t epoch = 0;  ///< counted from 1
  double test_loss_sum = 0;
  std::int64_t top1 = 0;
  std::int64_t top5 = 0;
  std::int64_t test_samples = 0;

  WorkTimes times{};     ///< of the epoch's steps, the last pull included
  WorkTimes measured{};  ///< of the steps whose communication is judged
  std::uint64_t measured_steps = 0;
  double progress_cpu_s = 0;  ///< processor time of the progress thread
  double eval_s = 0;
  std::uint64_t bytes_pushed = 0;
  std::uint64_t bytes_pulled = 0;
  std::uint64_t peak_memory_bytes = 0;
};

/// One server since the start of the run.
struct ServerReport {
  double update_s = 0;
  double progress_cpu_s = 0;  ///< processor time of the serving thread; 0 of a colocated server
  std::uint64_t bytes_received = 0;  ///< of gradients
  std::uint64_t bytes_sent = 0;      ///< of weights
  std::uint64_t peak_memory_bytes = 0;
};

/// A note as it will be received, but for its source.
Message make_note(BufferPool& buffers, Topic topic, std::span<const std::byte> content);

template <class T>
requires std::is_trivially_copyable_v<T> Message make_note(BufferPool& buffers, Topic topic,
                                                           const T& content) {
  return make_note(buffers, topic, std::as_bytes(std::span(&content, 1)));
}

/// Sends a note, ahead of all gradients and weights.
void post_note(Endpoint& endpoint, int rank, Message note);

Topic topic_of(const Message& note);
std::string text_of(const Message& note);

Message make_interval_note(BufferPool& buffers, const IntervalReport& report,
                           std::span<const StepReport> steps);
std::vector<StepReport> read_steps(const Message& note);

/// A server's report with its histogram of staleness.
Message make_server_note(BufferPool& buffers, const ServerReport& report,
                         const StalenessCounts& staleness);
StalenessCounts read_staleness(const Message& note);

/// The content as a T. Throws Error when it is too short for one.
template <class T>
requires std::is_trivially_copyable_v<T> T read_note(const Message& note) {
  const auto content = note.body.bytes();
  ODSGD_REQUIRE(content.size() >= sizeof(T), "note from rank {}: got {} bytes, want {}",
                note.source, content.size(), sizeof(T));
  T value;
  std::memcpy(&value, content.data(), sizeof(T));
  return value;
}

/// Notes that have arrived at a worker and wait for its compute thread.
/// Threads: put() and fail() by the dispatching thread, the others by the compute thread.
class NoteBox {
 public:
  void put(const Message& note);
  void fail(std::exception_ptr error);

  /// The next note, or nothing when none is there.
  std::optional<Message> take();

  /// The next note; waits for it. Rethrows what fail() was given, as it is when a rank is silent.
  Message wait();

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Message> notes_;
  std::exception_ptr error_;
};

}  // namespace odsgd
