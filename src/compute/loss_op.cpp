#include "odsgd/compute/loss_op.hpp"

#include "odsgd/base/error.hpp"

namespace odsgd {

void LossShape::check() const {
  ODSGD_REQUIRE(
      batch > 0 && classes > 1,
      "softmax: got batch {} and {} classes, want 1 or more samples and 2 or more classes", batch,
      classes);
  ODSGD_REQUIRE(label_smoothing >= 0 && label_smoothing < 1,
                "softmax: got label smoothing {}, want 0 or more and less than 1", label_smoothing);
}

}  // namespace odsgd
