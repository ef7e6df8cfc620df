#include "odsgd/transport/buffer_pool.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "odsgd/base/memory.hpp"

namespace odsgd {
namespace {

/// How many buffers of a size are made at once: as many as fill a huge page, but few.
std::size_t batch_of(std::size_t count) {
  constexpr std::size_t kMost = 8;
  return std::clamp<std::size_t>(kHugePage / std::max<std::size_t>(count, 1), 1, kMost);
}

struct FreeAligned {
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const { free_aligned(memory, bytes); }
};

}  // namespace

struct BufferPool::Block final : SharedMemory {
  Block() : SharedMemory(put_back) {}
  static void put_back(SharedMemory& memory) noexcept;

  std::span<std::byte> bytes;
  Block* next = nullptr;        // on the shelf
  std::shared_ptr<Shelf> home;  // while it is in use
};

struct BufferPool::Shelf {
  std::mutex mutex;
  std::unordered_map<std::size_t, Block*> free;  // by size: a list
  std::vector<std::unique_ptr<Block[]>> blocks;
  std::vector<std::unique_ptr<std::byte, FreeAligned>> memory;
  std::size_t allocated = 0;
};

void BufferPool::Block::put_back(SharedMemory& memory) noexcept {
  auto& block = static_cast<Block&>(memory);
  const auto shelf = std::move(block.home);  // the pool may be gone: then all goes with this
  const std::lock_guard lock(shelf->mutex);
  Block*& first = shelf->free.find(block.bytes.size())->second;
  block.next = std::exchange(first, &block);
}

BufferPool::BufferPool() : shelf_(std::make_shared<Shelf>()) {}

Draft BufferPool::take(std::size_t count) {
  const std::lock_guard lock(shelf_->mutex);
  Block*& first = shelf_->free[count];
  if (first == nullptr) {
    const std::size_t blocks = batch_of(count);
    const std::size_t pitch = (count + kAlignment - 1) / kAlignment * kAlignment;
    const std::size_t bytes = std::max(blocks * pitch, kAlignment);
    auto& memory = shelf_->memory.emplace_back(static_cast<std::byte*>(allocate_aligned(bytes)),
                                               FreeAligned{bytes});
    auto& made = shelf_->blocks.emplace_back(std::make_unique<Block[]>(blocks));
    for (std::size_t i = blocks; i-- > 0;) {
      made[i].bytes = {memory.get() + i * pitch, count};
      made[i].next = std::exchange(first, &made[i]);
    }
    shelf_->allocated += blocks * count;
  }
  Block& block = *std::exchange(first, first->next);
  block.home = shelf_;
  return {block.bytes, Payload(block.bytes, &block)};
}

std::size_t BufferPool::allocated() const {
  const std::lock_guard lock(shelf_->mutex);
  return shelf_->allocated;
}

}  // namespace odsgd
