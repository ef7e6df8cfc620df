#include "odsgd/transport/payload.hpp"

#include <utility>

namespace odsgd {

BufferPool::BufferPool() : shelf_(std::make_shared<Shelf>()) {}

std::shared_ptr<Bytes> BufferPool::take(std::size_t count) {
  std::unique_ptr<Bytes> buffer;
  {
    const std::lock_guard lock(shelf_->mutex);
    auto& free = shelf_->free[count];
    if (!free.empty()) {
      buffer = std::move(free.back());
      free.pop_back();
    } else {
      shelf_->allocated += count;
    }
  }
  if (!buffer) buffer = std::make_unique<Bytes>(count);
  const auto put_back = [shelf = std::weak_ptr(shelf_), count](Bytes* raw) {
    std::unique_ptr<Bytes> owned(raw);
    if (const auto home = shelf.lock()) {
      const std::lock_guard lock(home->mutex);
      home->free[count].push_back(std::move(owned));
    }
  };
  return {buffer.release(), put_back};
}

std::size_t BufferPool::allocated() const {
  const std::lock_guard lock(shelf_->mutex);
  return shelf_->allocated;
}

}  // namespace odsgd
