#pragma once

#include <cstddef>

namespace odsgd {

/// What every aligned allocation starts on: a cache line, and a vector.
constexpr std::size_t kAlignment = 64;

/// A huge page of x86-64. Memory of more than half of one is made of whole ones.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Memory with unspecified contents, on a boundary of at least kAlignment.
///
/// Large arrays lie in transparent huge pages where the system grants them: a copy between
/// processes pins and walks every page, so with pages of 4 KiB it runs at a third of the speed.
/// Throws std::bad_alloc.
void* allocate_aligned(std::size_t bytes);
void free_aligned(void* memory, std::size_t bytes) noexcept;  ///< with the same number of bytes

}  // namespace odsgd
