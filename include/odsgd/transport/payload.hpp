#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "odsgd/base/aligned_buffer.hpp"

namespace odsgd {

/// The bytes of one message, starting on a 64-byte boundary.
using Bytes = AlignedBuffer<std::byte>;

/// What a message carries: fixed once posted, and shared by all who still send or read it. So one
/// payload can be on its way to several ranks, and a receiver may keep it without a copy.
using Payload = std::shared_ptr<const Bytes>;

/// Hands out byte buffers and takes them back when their last owner lets go, so that a steady
/// exchange allocates nothing.
///
/// A training run uses few sizes, over and over: free buffers are kept by exact size.
/// Threads: any. Buffers may outlive the pool.
class BufferPool {
 public:
  BufferPool();

  /// A buffer of exactly `count` bytes with unspecified contents.
  std::shared_ptr<Bytes> take(std::size_t count);

  /// Bytes allocated so far and not given back to the system: in use or free.
  std::size_t allocated() const;

 private:
  struct Shelf {
    mutable std::mutex mutex;
    std::unordered_map<std::size_t, std::vector<std::unique_ptr<Bytes>>> free;
    std::size_t allocated = 0;
  };
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace odsgd
