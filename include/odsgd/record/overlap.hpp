#pragma once

#include <span>

#include "odsgd/record/rows.hpp"

namespace odsgd {

/// The share of the time of communication during which computing went on:
/// 1 - wait / in_flight, in [0, 1]. NaN when nothing was in flight.
double hidden_share(double wait_s, double in_flight_s);

/// Smallest, mean and largest of the values that are numbers; NaN when none is.
Spread spread_of(std::span<const double> values);

/// All epochs of some rows added up: the workers' parts of a step, smallest, mean and largest over
/// the workers. The epoch is that of the first row.
OverlapRow overlap_of(std::span<const TimingRow> rows);

/// The largest share of a core that moving messages took of any rank in this role, over some
/// epochs. NaN when no rank has a thread of its own for it.
double most_of_a_core(std::span<const TimingRow> rows, std::int64_t role);

}  // namespace odsgd
