#pragma once

#include "odsgd/base/error.hpp"

namespace odsgd {

/// A mistake in the command line or in a --config file.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace odsgd
