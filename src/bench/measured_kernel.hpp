#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/error.hpp"
#include "odsgd/bench/samples.hpp"
#include "thread_team.hpp"

namespace odsgd {

/// Makes the compiler believe that all memory is looked at here, so that no pass over it is left
/// out.
inline void look_at(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

/// Pages that were never written may all be one page of zeros.
inline AlignedBuffer<float> filled(std::size_t floats) {
  AlignedBuffer<float> buffer(floats);
  std::fill(buffer.span().begin(), buffer.span().end(), 1.0F);
  return buffer;
}

/// Bytes per second of a kernel: an object made of its number of floats, which passes over them
/// once a call and says how many bytes of each count. See memory_limits.hpp.
template <class Kernel>
Samples measure_kernel(std::size_t floats, int threads, int repetitions) {
  ODSGD_REQUIRE(threads >= 1 && static_cast<std::size_t>(threads) <= floats,
                "memory limits: got {} threads for {} floats, want at least one float a thread",
                threads, floats);
  ODSGD_REQUIRE(repetitions >= 1, "memory limits: got {} repetitions, want 1 or more", repetitions);
  const auto all = static_cast<std::size_t>(threads);
  Samples samples = time_together(threads, repetitions, [&](int thread) -> Work {
    const auto i = static_cast<std::size_t>(thread);
    const std::size_t share = floats * (i + 1) / all - floats * i / all;
    return [kernel = std::make_shared<Kernel>(share)] { (*kernel)(); };
  });
  const auto bytes = static_cast<double>(floats * Kernel::kBytesPerFloat);
  for (double& value : samples.values) value = bytes / value;
  return samples;
}

}  // namespace odsgd
