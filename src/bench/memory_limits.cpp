#include "odsgd/bench/memory_limits.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/error.hpp"
#include "thread_team.hpp"

namespace odsgd {
namespace {

/// Makes the compiler believe that all memory is looked at here, so that no pass over it is left
/// out.
void look_at(const float* floats) { asm volatile("" : : "r"(floats) : "memory"); }

/// Pages that were never written may all be one page of zeros.
AlignedBuffer<float> filled(std::size_t floats) {
  AlignedBuffer<float> buffer(floats);
  std::fill(buffer.span().begin(), buffer.span().end(), 1.0F);
  return buffer;
}

class Copy {
 public:
  static constexpr std::size_t kBytesPerFloat = sizeof(float);

  explicit Copy(std::size_t floats) : from_(filled(floats)), to_(filled(floats)) {}

  void operator()() {
    std::memcpy(to_.data(), from_.data(), from_.size() * sizeof(float));
    look_at(to_.data());
  }

 private:
  AlignedBuffer<float> from_;
  AlignedBuffer<float> to_;
};

class Triad {
 public:
  static constexpr std::size_t kBytesPerFloat = 3 * sizeof(float);

  explicit Triad(std::size_t floats) : a_(filled(floats)), b_(filled(floats)), c_(filled(floats)) {}

  void operator()() {
    float* __restrict a = a_.data();
    const float* __restrict b = b_.data();
    const float* __restrict c = c_.data();
    for (std::size_t i = 0; i < a_.size(); ++i) a[i] = b[i] + 3.0F * c[i];
    look_at(a);
  }

 private:
  AlignedBuffer<float> a_;
  AlignedBuffer<float> b_;
  AlignedBuffer<float> c_;
};

template <class Kernel>
Samples measure(std::size_t floats, int threads, int repetitions) {
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

}  // namespace

Samples measure_copy(std::size_t floats, int threads, int repetitions) {
  return measure<Copy>(floats, threads, repetitions);
}

Samples measure_triad(std::size_t floats, int threads, int repetitions) {
  return measure<Triad>(floats, threads, repetitions);
}

}  // namespace odsgd
