#pragma once

#include <span>
#include <string>

#include "odsgd/base/parameter_layout.hpp"
#include "odsgd/base/types.hpp"
#include "odsgd/h5/group.hpp"

namespace odsgd {

/// Creates the group `weights` in `root`: one float array a key, under the key's name and in its
/// shape, and at last the attribute `clock`. `weights` has layout.floats() elements.
void write_weights(h5::Group& root, const ParameterLayout& layout, std::span<const float> weights,
                   Clock clock);

/// Reads /weights of the file into `weights` (layout.floats() elements) and returns the clock.
///
/// Throws Error when the file holds no weights or not yet all of them (its run has not ended), or
/// when keys are missing, too many or of other shapes than the layout's.
Clock read_weights(const std::string& path, const ParameterLayout& layout,
                   std::span<float> weights);

}  // namespace odsgd
