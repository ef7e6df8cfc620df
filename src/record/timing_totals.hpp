#pragma once

#include <span>
#include <vector>

#include "odsgd/record/rows.hpp"

namespace odsgd {

/// The rows of each rank and role added up over the epochs, in order of rank and role.
std::vector<TimingRow> totals_of_ranks(std::span<const TimingRow> rows);

}  // namespace odsgd
