#pragma once

#include <span>
#include <string>

#include "odsgd/h5/attribute.hpp"
#include "odsgd/record/run_summary.hpp"

namespace odsgd {

std::string percent(double share, int digits);           ///< "98.91 %", "-" for NaN
std::string mebibytes(double bytes);                     ///< "12.3 MiB"
std::string attribute_text(const h5::Attribute& value);  ///< lists with commas
std::string result_text(const RunSummary& run);          ///< a few lines, "name   value"

/// A table of the workers' parts of a step over some epochs, and what moving messages costs.
std::string overlap_text(std::span<const TimingRow> rows);

}  // namespace odsgd
