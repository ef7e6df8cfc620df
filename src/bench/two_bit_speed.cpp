#include "odsgd/bench/two_bit_speed.hpp"

#include "measured_kernel.hpp"
#include "odsgd/ps/two_bit.hpp"

namespace odsgd {
namespace {

constexpr float kTheta = 0.5F;

class Encode {
 public:
  static constexpr std::size_t kBytesPerFloat = sizeof(float);

  explicit Encode(std::size_t floats)
      : g_(filled(floats)), residual_(filled(floats)), written_(two_bit_bytes(floats)) {}

  void operator()() {
    encode_two_bit(g_.span(), residual_.span(), kTheta, written_.span());
    look_at(written_.data());
  }

 private:
  AlignedBuffer<float> g_;
  AlignedBuffer<float> residual_;
  AlignedBuffer<std::byte> written_;
};

class DecodeAdd {
 public:
  static constexpr std::size_t kBytesPerFloat = sizeof(float);

  explicit DecodeAdd(std::size_t floats) : sum_(filled(floats)), written_(two_bit_bytes(floats)) {
    const auto g = filled(floats);
    auto residual = filled(floats);
    encode_two_bit(g.span(), residual.span(), kTheta, written_.span());
  }

  void operator()() {
    decode_add_two_bit(written_.span(), 0, sum_.span());
    look_at(sum_.data());
  }

 private:
  AlignedBuffer<float> sum_;
  AlignedBuffer<std::byte> written_;
};

}  // namespace

Samples measure_two_bit_encode(std::size_t floats, int threads, int repetitions) {
  return measure_kernel<Encode>(floats, threads, repetitions);
}

Samples measure_two_bit_decode_add(std::size_t floats, int threads, int repetitions) {
  return measure_kernel<DecodeAdd>(floats, threads, repetitions);
}

}  // namespace odsgd
