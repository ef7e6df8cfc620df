#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "odsgd/transport/payload.hpp"

namespace odsgd {

/// One message as it was received: who sent it, and its bytes.
struct Message {
  int source = -1;
  Payload payload;
};

/// One rank's access to all others: carries payloads, and knows nothing of keys, weights or
/// algorithms.
///
/// Messages between two ranks arrive in the order in which they were posted, whole and once;
/// between different pairs there is no order. A rank may post to itself. Threads: any thread may
/// post; one thread at a time receives, and this thread also drives what was posted, so it has to
/// come back again and again until unsent() is 0.
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Starts to send; returns at once. Throws Error when there is no such rank.
  virtual void post(int destination, Payload payload) = 0;

  /// The next message; waits for it at most `patience`. Throws Error when the transport has failed.
  virtual std::optional<Message> receive(std::chrono::microseconds patience) = 0;

  /// Messages posted by this rank that its transport still holds.
  virtual std::size_t unsent() const = 0;

  /// Where payloads to post are taken from.
  BufferPool& buffers() { return buffers_; }

 private:
  BufferPool buffers_;
};

}  // namespace odsgd
