#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "odsgd/base/host.hpp"
#include "odsgd/base/types.hpp"

namespace odsgd {

/// What a rank does during a span. The first three are what a worker's computing thread does, the
/// next two what is on its way meanwhile.
enum class Lane : std::uint8_t {
  kCompute,   ///< forward and backward
  kWait,      ///< computing stands still for weights: exposed communication
  kUpdate,    ///< changing local weights without the servers
  kPush,      ///< a gradient is on its way
  kPull,      ///< weights are asked for and not there yet
  kServer,    ///< a server sums gradients and updates weights
  kEvaluate,  ///< the test set
};
constexpr std::size_t kLanes = 7;

/// "compute", "wait", "update", "push", "pull", "server", "evaluate".
std::string_view lane_name(Lane lane);

/// The key of a span that is about no single one.
constexpr Key kNoKey = std::numeric_limits<Key>::max();

/// What one rank did and when, kept in memory until the run is over.
///
/// Threads: label(), add() and the readers may be called by any, at the same time. add() is one
/// lock and one store of 32 bytes. Storage comes in blocks, since one growing array would copy all
/// that it holds while every thread waits for the lock, and room for the whole capacity would cost
/// short runs the memory of long ones; so all but one in 4,096 calls allocate nothing.
class Timeline {
 public:
  using Label = std::uint16_t;

  struct Span {
    double begin_s = 0;  ///< now_s(), as the next
    double end_s = 0;    ///< not before the begin
    Clock step = 0;
    Key key = kNoKey;
    Label label = 0;
    Lane lane = Lane::kCompute;

    bool operator==(const Span&) const = default;
  };

  static constexpr std::size_t kCapacity = 1'000'000;

  /// Keeps the first `capacity` spans. Throws Error when that is 0.
  explicit Timeline(std::size_t capacity = kCapacity);

  /// The number of this text: the one it got first when it was registered before. Slow: ask once,
  /// before the steps begin. Throws Error when there are 65,536 others.
  Label label(std::string_view text);

  /// Without room for it, in the capacity or in memory, the span is only counted.
  void add(const Span& span) noexcept;

  std::vector<Span> spans() const;  ///< a copy, in the order of add()
  std::vector<std::string> labels() const;
  std::size_t size() const;     ///< spans kept
  std::size_t dropped() const;  ///< spans only counted

 private:
  static constexpr std::size_t kBlockSpans = 4096;
  using Block = std::array<Span, kBlockSpans>;

  bool has_room();

  mutable std::mutex mutex_;
  std::size_t capacity_;
  std::size_t size_ = 0;
  std::size_t dropped_ = 0;
  std::vector<std::unique_ptr<Block>> blocks_;  ///< all full but the last
  std::vector<std::string> labels_;
};

/// A timeline, and the step that the rank's computing thread is in; this thread alone sets and
/// reads it. The timeline is shared, since a push may end after all else of its rank.
struct Tracer {
  std::shared_ptr<Timeline> timeline;  ///< never null: nothing is traced where there is no tracer
  Clock step = 0;
};

/// The number of this text in the tracer's timeline; without a tracer 0.
inline Timeline::Label label_in(const Tracer* tracer, std::string_view text) {
  return tracer != nullptr ? tracer->timeline->label(text) : Timeline::Label{0};
}

/// Adds the time of its own life to a timeline, as part of the tracer's step. Without a tracer,
/// when nothing is traced, it costs a branch at either end. It has to end before the timeline.
/// Threads: the rank's computing thread.
class TimelineSpan {
 public:
  TimelineSpan(const Tracer* tracer, Lane lane, Timeline::Label label, Key key = kNoKey) {
    if (tracer != nullptr) {
      timeline_ = tracer->timeline.get();
      span_ = {.begin_s = now_s(), .step = tracer->step, .key = key, .label = label, .lane = lane};
    }
  }
  ~TimelineSpan() {
    if (timeline_ != nullptr) {
      span_.end_s = now_s();
      timeline_->add(span_);
    }
  }
  TimelineSpan(const TimelineSpan&) = delete;
  TimelineSpan& operator=(const TimelineSpan&) = delete;

 private:
  Timeline* timeline_ = nullptr;
  Timeline::Span span_;
};

}  // namespace odsgd
