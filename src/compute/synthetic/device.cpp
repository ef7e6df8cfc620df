#include "device.hpp"

#include <utility>

#include "odsgd/base/error.hpp"

namespace odsgd::synthetic {
namespace {

// Not a stream of the initial weights or of the sample order.
constexpr std::uint64_t kJitterStream = 0x6A69747465720000U;  // "jitter"

}  // namespace

Device::Device(const DeviceOptions& options, SleepClock clock)
    : step_s_(options.compute_ms * 1e-3),
      jitter_(options.jitter_percent / 100),
      random_(options.seed, kJitterStream + static_cast<std::uint64_t>(options.worker)),
      time_(std::move(clock)) {
  ODSGD_REQUIRE(step_s_ > 0, "device synthetic: got {} ms a step, want more than 0",
                options.compute_ms);
  ODSGD_REQUIRE(jitter_ >= 0 && jitter_ <= 1, "device synthetic: got jitter {} %, want 0 to 100",
                options.jitter_percent);
}

void Device::add_layer(double forward_flops) {
  const bool needs_dx = step_flops_ > 0;
  step_flops_ += (needs_dx ? 3 : 2) * forward_flops;
}

void Device::begin_step() {
  const double u = 2 * random_.uniform(steps_++) - 1;
  time_.begin_step(step_s_ * (1 + jitter_ * u));
}

void Device::compute(double flops) {
  if (flops > 0) time_.spend_share(flops / step_flops_);
}

}  // namespace odsgd::synthetic
