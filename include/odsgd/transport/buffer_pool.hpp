#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "odsgd/transport/payload.hpp"

namespace odsgd {

/// A payload in the making: whoever took it may write the bytes until it is posted.
struct Draft {
  std::span<std::byte> bytes;
  Payload payload;
};

/// The bytes of a draft as floats.
inline std::span<float> floats_in(const Draft& draft) {
  return {reinterpret_cast<float*>(draft.bytes.data()), draft.bytes.size() / sizeof(float)};
}

/// Hands out byte buffers and takes them back when their last owner lets go, so that a steady
/// exchange allocates nothing.
///
/// A training run uses few sizes, over and over: free buffers are kept by exact size, and buffers
/// of one size are made several at a time, so that they share huge pages. Threads: any. Buffers may
/// outlive the pool.
class BufferPool {
 public:
  BufferPool();

  /// A buffer of exactly `count` bytes with unspecified contents, on a 64-byte boundary.
  Draft take(std::size_t count);

  /// Bytes of the buffers made so far, in use or free.
  std::size_t allocated() const;

 private:
  struct Shelf;
  struct Block;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace odsgd
