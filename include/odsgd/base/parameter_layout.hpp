#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "odsgd/base/types.hpp"

namespace odsgd {

/// One learnable tensor inside the flat range of all parameters.
struct Parameter {
  std::string name;        ///< e.g. "conv1_weight"; the name of its data set in logs
  std::vector<int> shape;  ///< row-major
  std::size_t offset = 0;  ///< of its first float, in floats
  std::size_t count = 0;   ///< product of the shape
  bool decays = false;     ///< weight decay applies to weights, not to biases
};

/// Where every key lies in one flat allocation of floats.
///
/// Weights, gradients, optimizer state and messages all use this one layout, so an update, a
/// message and a checkpoint are ranges of it. Keys lie one after the other, without padding.
class ParameterLayout {
 public:
  /// Adds a parameter behind the others and returns its key. Throws Error on an empty or negative
  /// shape, and when the name was used before.
  Key add(std::string name, std::vector<int> shape, bool decays);

  Key keys() const { return static_cast<Key>(parameters_.size()); }
  std::size_t floats() const { return floats_; }
  const Parameter& operator[](Key key) const { return parameters_.at(key); }

  /// The part of `all` that belongs to `key`; `all` has floats() elements.
  template <class T>
  std::span<T> slice(Key key, std::span<T> all) const {
    const Parameter& p = parameters_.at(key);
    return all.subspan(p.offset, p.count);
  }

 private:
  std::vector<Parameter> parameters_;
  std::size_t floats_ = 0;
};

}  // namespace odsgd
