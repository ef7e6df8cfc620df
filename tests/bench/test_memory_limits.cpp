#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "h5/error_text.hpp"
#include "odsgd/base/host.hpp"
#include "odsgd/bench/memory_limits.hpp"
#include "odsgd/bench/two_bit_speed.hpp"
#include "odsgd/ps/two_bit.hpp"

using namespace odsgd;
using namespace odsgd::test;

namespace {

constexpr std::size_t kFloats = 1 << 20;
constexpr int kRepetitions = 10;

/// The shortest of some calls.
double shortest_s(const std::function<void()>& call) {
  double shortest = 1e9;
  for (int i = 0; i < kRepetitions; ++i) {
    const double begin = now_s();
    call();
    shortest = std::min(shortest, now_s() - begin);
  }
  return shortest;
}

/// Whether the best of `measure` is what the call moves a second, but for a factor of 2. Others use
/// this machine: one of some attempts must do.
bool agrees(Samples (*measure)(std::size_t, int, int), double bytes,
            const std::function<void()>& call) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double want = bytes / shortest_s(call);
    const double got = measure(kFloats, 1, kRepetitions).max();
    if (got > want / 2 && got < want * 2) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("memory limits: a copy counts 4 bytes a float, as a plain memcpy shows") {
  const std::vector<float> from(kFloats, 1.0F);
  std::vector<float> to(kFloats);

  CHECK(agrees(measure_copy, 4.0 * kFloats,
               [&] { std::memcpy(to.data(), from.data(), 4 * kFloats); }));
  CHECK(to == from);
}

TEST_CASE("memory limits: the triad counts 12 bytes a float, as a plain loop shows") {
  std::vector<float> a(kFloats);
  const std::vector<float> b(kFloats, 1.0F);
  const std::vector<float> c(kFloats, 2.0F);

  CHECK(agrees(measure_triad, 12.0 * kFloats, [&] {
    float* __restrict out = a.data();
    for (std::size_t i = 0; i < kFloats; ++i) out[i] = b[i] + 3.0F * c[i];
  }));
  CHECK(a[kFloats - 1] == 7.0F);
}

TEST_CASE("memory limits: a sum counts 4 bytes a float, as a plain loop shows") {
  std::vector<float> a(kFloats);
  const std::vector<float> b(kFloats, 1.0F);

  CHECK(agrees(measure_sum, 4.0 * kFloats, [&] {
    float* __restrict sum = a.data();
    for (std::size_t i = 0; i < kFloats; ++i) sum[i] += b[i];
  }));
  CHECK(a[kFloats - 1] > 0);
}

TEST_CASE("memory limits: the 2-bit codec's kernels count 4 bytes a float") {
  const std::vector<float> g(kFloats, 1.0F);
  std::vector<float> residual(kFloats);
  std::vector<std::byte> written(two_bit_bytes(kFloats));
  CHECK(agrees(measure_two_bit_encode, 4.0 * kFloats,
               [&] { encode_two_bit(g, residual, 0.5F, written); }));

  std::vector<float> sum(kFloats);
  CHECK(agrees(measure_two_bit_decode_add, 4.0 * kFloats,
               [&] { decode_add_two_bit(written, 0, sum); }));
  CHECK(sum[kFloats - 1] > 0);
}

TEST_CASE("memory limits: any number of threads up to the floats, one value a repetition") {
  for (const int threads : {1, 2, 3, 7}) {
    CHECK(measure_copy(7, threads, 3).values.size() == 3);
    CHECK(measure_triad(7, threads, 5).values.size() == 5);
    CHECK(measure_sum(7, threads, 2).values.size() == 2);
    CHECK(measure_two_bit_encode(7, threads, 4).values.size() == 4);
    CHECK(measure_two_bit_decode_add(7, threads, 1).values.size() == 1);
  }
}

TEST_CASE("memory limits: counts that make no sense are errors") {
  CHECK(error_text([] { measure_copy(2, 3, 1); }) ==
        "memory limits: got 3 threads for 2 floats, want at least one float a thread");
  CHECK(says(error_text([] { measure_triad(2, 0, 1); }), "got 0 threads"));
  CHECK(says(error_text([] { measure_copy(2, 1, 0); }), "got 0 repetitions"));
}
