#include "odsgd/base/memory.hpp"

#include <sys/mman.h>

#include <new>

namespace odsgd {
namespace {

bool takes_huge_pages(std::size_t bytes) { return bytes > kHugePage / 2; }

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{takes_huge_pages(bytes) ? kHugePage : kAlignment};
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  if (!takes_huge_pages(bytes)) return ::operator new(bytes, alignment_of(bytes));
  // Whole pages, the last one too. Advice alone: where there are none, nothing changes.
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* memory = ::operator new(whole, alignment_of(bytes));
  madvise(memory, whole, MADV_HUGEPAGE);
  return memory;
}

void free_aligned(void* memory, std::size_t bytes) noexcept {
  ::operator delete(memory, alignment_of(bytes));
}

}  // namespace odsgd
