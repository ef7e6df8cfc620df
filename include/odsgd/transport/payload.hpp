#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace odsgd {

/// Counts the payloads that share some memory. Whoever owns the memory derives from it, or has it
/// as a member, and learns through `freed` that the last of them is gone; nothing is allocated.
class SharedMemory {
 public:
  /// Called once each time when the last payload lets go, on that payload's thread.
  using Freed = void (*)(SharedMemory&) noexcept;

  explicit SharedMemory(Freed freed) : freed_(freed) {}
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  void acquire() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) freed_(*this);
  }
  int owners() const noexcept { return owners_.load(std::memory_order_acquire); }

 protected:
  ~SharedMemory() = default;

 private:
  std::atomic<int> owners_ = 0;
  Freed freed_;
};

/// Bytes that several owners read: fixed once posted. One payload can be on its way to several
/// ranks, and a receiver may keep it without a copy. Copies of a payload share the bytes.
class Payload {
 public:
  Payload() = default;  ///< no bytes

  /// Bytes that stay as they are until `memory` is freed; without one, for as long as anybody
  /// reads.
  explicit Payload(std::span<const std::byte> bytes, SharedMemory* memory = nullptr)
      : bytes_(bytes), memory_(memory) {
    if (memory_ != nullptr) memory_->acquire();
  }
  Payload(const Payload& other) : Payload(other.bytes_, other.memory_) {}
  Payload(Payload&& other) noexcept
      : bytes_(std::exchange(other.bytes_, {})), memory_(std::exchange(other.memory_, nullptr)) {}
  Payload& operator=(Payload other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Payload() {
    if (memory_ != nullptr) memory_->release();
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

  /// A part of the bytes, which keeps all of them.
  Payload part(std::size_t begin, std::size_t count) const {
    return Payload(bytes_.subspan(begin, count), memory_);
  }

  /// Whether nobody else holds these bytes at this moment.
  bool is_unshared() const { return memory_ != nullptr && memory_->owners() == 1; }

 private:
  std::span<const std::byte> bytes_;
  SharedMemory* memory_ = nullptr;
};

}  // namespace odsgd
