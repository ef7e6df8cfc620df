#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "odsgd/compute/shape.hpp"

namespace odsgd {

/// Owns a range of floats in the memory of a device.
class Buffer {
 public:
  Buffer() = default;
  Buffer(View view, std::function<void(float*)> release)
      : memory_(view.data(), std::move(release)), view_(view) {}

  View view() { return view_; }
  ConstView view() const { return view_; }

 private:
  std::unique_ptr<float, std::function<void(float*)>> memory_;
  View view_;
};

}  // namespace odsgd
