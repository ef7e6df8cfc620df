#include "odsgd/base/memory.hpp"

#include <sys/mman.h>

#include <new>

namespace odsgd {
namespace {

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= kHugePage ? kHugePage : kAlignment};
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  void* memory = ::operator new(bytes, alignment_of(bytes));
  // Advice alone: where there are no huge pages, nothing changes.
  if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void free_aligned(void* memory, std::size_t bytes) noexcept {
  ::operator delete(memory, alignment_of(bytes));
}

}  // namespace odsgd
