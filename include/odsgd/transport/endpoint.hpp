#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "odsgd/transport/buffer_pool.hpp"
#include "odsgd/transport/payload.hpp"

namespace odsgd {

/// What travels in front of every body, copied: whatever the users of an endpoint agree on.
using Envelope = std::array<std::byte, 64>;

/// One message as it was received.
struct Message {
  int source = -1;
  Envelope envelope{};
  Payload body;
};

/// Where a body that is about to arrive lands: in `memory`, which must have room for exactly its
/// bytes and stay valid until the message has been received, or else in a buffer of the pool.
struct Place {
  std::span<std::byte> memory{};
  bool is_later = false;  ///< nowhere yet: the body stays with its sender, and is asked for again
};

/// Decides where a body lands. Called by the receiving thread; only when it `may_wait` can it be
/// put off: as long as other bodies arrive, and half a millisecond longer.
using Landing =
    std::function<Place(int source, const Envelope& envelope, std::size_t bytes, bool may_wait)>;

/// One rank's access to all others: carries messages, and knows nothing of keys, weights or
/// algorithms.
///
/// Messages between two ranks arrive whole and once, and none overtakes an earlier one of the same
/// or a lower number of urgency; between different pairs there is no order. A rank may post to
/// itself. Threads: any thread may post; one thread at a time receives, and this thread also drives
/// what was posted, so it has to come back again and again until unsent() is 0.
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Starts to send; returns at once. While the way to a rank is busy, messages of a lower number
  /// of urgency overtake those of a higher one. The body's bytes must stay as they are until the
  /// last owner of the payload lets go. Throws Error when there is no such rank.
  virtual void post(int destination, const Envelope& envelope, Payload body, int urgency) = 0;
  void post(int destination, const Envelope& envelope, Payload body = {}) {
    post(destination, envelope, std::move(body), 0);
  }

  /// Starts to add the floats of all ranks, element by element; returns at once. The sum comes to
  /// each rank as a message from itself, with the envelope given here; by then `mine` has been let
  /// go. It has the same bits on every rank. Every rank calls this equally often, and the n-th
  /// calls belong together: their bodies hold equally many floats. Several may be under way, and
  /// may end in any order. One thread at a time calls it.
  virtual void sum(const Envelope& envelope, Payload mine) = 0;

  /// The next message; waits for it at most `patience`. Throws Error when the transport has failed.
  virtual std::optional<Message> receive(std::chrono::microseconds patience) = 0;

  /// Messages posted by this rank, and sums that it takes part in, that its transport still holds.
  virtual std::size_t unsent() const = 0;

  /// To be set before the first message is received, or between two of them by the same thread.
  void on_landing(Landing landing) { landing_ = std::move(landing); }

  /// Where payloads to post are taken from.
  BufferPool& buffers() { return buffers_; }

 protected:
  /// Where a body lands: asks on_landing()'s function, if there is one.
  Place landing_of(int source, const Envelope& envelope, std::size_t bytes, bool may_wait) const;

 private:
  Landing landing_;
  BufferPool buffers_;
};

}  // namespace odsgd
