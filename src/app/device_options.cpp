#include "device_options.hpp"

#include <fmt/format.h>

#include "usage_error.hpp"

namespace odsgd {

DeviceOptions device_options(const TrainOptions& options, int worker) {
  const bool is_pretend = is_pretend_device(options.device);
  if (is_pretend && !options.compute_ms) {
    throw UsageError(
        fmt::format("--compute-ms: got nothing, want the milliseconds that a step takes on device "
                    "{}",
                    options.device));
  }
  const auto refuse = [&](const char* option, double value) {
    throw UsageError(fmt::format("{}: got {} with device {}, want it with device synthetic alone",
                                 option, value, options.device));
  };
  if (!is_pretend && options.compute_ms) refuse("--compute-ms", *options.compute_ms);
  if (!is_pretend && options.compute_jitter) refuse("--compute-jitter", *options.compute_jitter);
  return {.name = options.device,
          .threads = options.threads,
          .compute_ms = options.compute_ms.value_or(0),
          .jitter_percent = options.compute_jitter.value_or(0),
          .seed = options.seed,
          .worker = worker};
}

}  // namespace odsgd
