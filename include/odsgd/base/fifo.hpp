#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace odsgd {

/// A queue in one array that grows to the longest it has been: unlike std::deque it allocates
/// nothing once it has been that long.
template <class T>
class Fifo {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() { return items_[head_]; }
  T& operator[](std::size_t i) { return items_[(head_ + i) % items_.size()]; }  ///< i-th oldest

  void push(T item) {
    if (size_ == items_.size()) grow();
    items_[(head_ + size_++) % items_.size()] = std::move(item);
  }

  T pop() {
    T item = std::exchange(items_[head_], T{});
    head_ = (head_ + 1) % items_.size();
    --size_;
    return item;
  }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 8 : 2 * items_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
    items_.swap(larger);
    head_ = 0;
  }

  std::vector<T> items_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace odsgd
