#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "odsgd/base/memory.hpp"

namespace odsgd {

/// A fixed number of trivially copyable elements, zero at first, in memory of allocate_aligned().
template <class T>
requires std::is_trivially_copyable_v<T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t count)
      : data_(static_cast<T*>(allocate_aligned(count * sizeof(T))), Free{count * sizeof(T)}),
        count_(count) {
    std::memset(static_cast<void*>(data_.get()), 0, count * sizeof(T));
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return count_; }
  std::span<T> span() { return {data_.get(), count_}; }
  std::span<const T> span() const { return {data_.get(), count_}; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* p) const { free_aligned(p, bytes); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t count_ = 0;
};

}  // namespace odsgd
