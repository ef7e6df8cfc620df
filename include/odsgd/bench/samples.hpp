#pragma once

#include <vector>

namespace odsgd {

/// One number, measured several times, in the order of measuring. At least one value.
struct Samples {
  std::vector<double> values;

  double median() const;  ///< of an even number: the mean of the middle two
  double min() const;
  double max() const;

  void append(const Samples& more);
  Samples times(double factor) const;  ///< in another unit
};

}  // namespace odsgd
