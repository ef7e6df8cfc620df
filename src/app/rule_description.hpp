#pragma once

#include <string>
#include <vector>

#include "job.hpp"

namespace odsgd {

/// How a run updates its weights, in a few lines for people: the numbers that its rule uses, and a
/// warning where they are usual mistakes.
std::vector<std::string> rule_lines(const Job& job);

}  // namespace odsgd
