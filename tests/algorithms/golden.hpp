#pragma once

#include <string>
#include <vector>

#include "support/training.hpp"

namespace odsgd::test {

/// One row of the table of known trajectories: two workers with f = 1/2 a (w - c)^2, a = (1, 3),
/// c = (0, 1), W^0 = 2, lr = local lr = 0.1, momentum 0.5, warm-up 2 steps, 8 steps; computed in
/// double precision by hand from the update rules.
struct GoldenRow {
  std::string name;
  Setup setup;
  std::vector<double> global;  ///< W^0 to W^6
  double global_8;             ///< W^8
  double local_6[2];           ///< w_0^6, w_1^6
};

Quadratic golden_problem();
std::vector<GoldenRow> golden_rows();

/// A way to lay a training out; none may change a bit.
struct Variant {
  int servers;
  std::size_t message_floats;
  Delays delays{};
};
std::vector<Variant> variants();
Setup with_variant(Setup setup, const Variant& variant);
std::string describe(const Variant& variant);

/// Checks that two trainings had the same W^t and the same w_m^t, bit for bit.
void check_same(const Trace& a, const Trace& b);

}  // namespace odsgd::test
