#include "odsgd/bench/samples.hpp"

#include <algorithm>

#include "odsgd/base/error.hpp"

namespace odsgd {
namespace {

std::vector<double> sorted(std::vector<double> values) {
  ODSGD_REQUIRE(!values.empty(), "samples: got no values, want at least one");
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

double Samples::median() const {
  const std::vector<double> v = sorted(values);
  const std::size_t half = v.size() / 2;
  return v.size() % 2 == 1 ? v[half] : (v[half - 1] + v[half]) / 2;
}

double Samples::min() const { return sorted(values).front(); }

double Samples::max() const { return sorted(values).back(); }

void Samples::append(const Samples& more) {
  values.insert(values.end(), more.values.begin(), more.values.end());
}

Samples Samples::times(double factor) const {
  Samples scaled = *this;
  for (double& value : scaled.values) value *= factor;
  return scaled;
}

}  // namespace odsgd
