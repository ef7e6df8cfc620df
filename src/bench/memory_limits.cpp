#include "odsgd/bench/memory_limits.hpp"

#include <cstring>

#include "measured_kernel.hpp"

namespace odsgd {
namespace {

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

class Sum {
 public:
  static constexpr std::size_t kBytesPerFloat = sizeof(float);

  explicit Sum(std::size_t floats) : a_(filled(floats)), b_(filled(floats)) {}

  void operator()() {
    float* __restrict a = a_.data();
    const float* __restrict b = b_.data();
    for (std::size_t i = 0; i < a_.size(); ++i) a[i] += b[i];
    look_at(a);
  }

 private:
  AlignedBuffer<float> a_;
  AlignedBuffer<float> b_;
};

}  // namespace

Samples measure_copy(std::size_t floats, int threads, int repetitions) {
  return measure_kernel<Copy>(floats, threads, repetitions);
}

Samples measure_triad(std::size_t floats, int threads, int repetitions) {
  return measure_kernel<Triad>(floats, threads, repetitions);
}

Samples measure_sum(std::size_t floats, int threads, int repetitions) {
  return measure_kernel<Sum>(floats, threads, repetitions);
}

}  // namespace odsgd
