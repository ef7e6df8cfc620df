#pragma once

#include "odsgd/compute/backend.hpp"
#include "options.hpp"

namespace odsgd {

/// The device of a worker. Throws UsageError when the options of the synthetic device are missing,
/// or stand beside another device.
DeviceOptions device_options(const TrainOptions& options, int worker);

}  // namespace odsgd
