#pragma once

#include <exception>
#include <functional>
#include <map>

#include "notes.hpp"
#include "odsgd/base/clock_offset.hpp"
#include "odsgd/base/host.hpp"

namespace odsgd {

/// Puts the clocks of a run's ranks on that of one of them, the reference: it asks every other rank
/// for its time at the start and at the end, by notes.
///
/// Every rank has one, and gives it the notes that it gets. Threads: take() and fail() belong to
/// the one that dispatches, the others to the one that the run is on.
class ClockAlignment {
 public:
  /// The endpoint must outlive it. `clock` is this rank's.
  ClockAlignment(Endpoint& endpoint, int reference, std::function<double()> clock = now_s);

  /// Whether the note is about clocks: then it has been answered, or is kept for who waits for it.
  bool take(const Message& note);
  void fail(std::exception_ptr error) { notes_.fail(std::move(error)); }  ///< ends all waits

  /// How far each other rank's clock is ahead now; to be called on the reference alone, once every
  /// rank dispatches or is going to. Throws what fail() was given.
  void begin();

  /// Measures again on the reference, which then tells each rank how its times become those of the
  /// reference; the others wait for that, and must dispatch until it has come. Returns this rank's
  /// map.
  ClockMap end();

 private:
  bool is_reference() const { return endpoint_.rank() == reference_; }
  ClockOffset measure(int rank);

  Endpoint& endpoint_;
  int reference_;
  std::function<double()> clock_;
  NoteBox notes_;
  std::map<int, ClockOffset> begin_;  // on the reference, by rank
};

}  // namespace odsgd
