#pragma once

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/algorithms/worker.hpp"
#include "odsgd/base/aligned_buffer.hpp"

namespace odsgd {

/// The steps that a worker of local-sgd or easgd makes on its own between two exchanges:
///   v = m' v - lr' (g + decay w),  w = w + v
/// with local lr' of step t, local momentum m', and g clipped. v lives on from exchange to
/// exchange. An exchange ends every H-th step, and the last of the run.
class LocalSteps {
 public:
  LocalSteps(const ParameterLayout& layout, const AlgorithmSettings& settings);

  std::span<float> weights() { return w_.span(); }
  std::span<float> weights(Key k) { return layout_.slice(k, w_.span()); }

  void step(Worker& me, Key k, Clock t);

  /// Whether step t is the last one before an exchange.
  bool ends_round(Clock t) const { return (t + 1) % every_ == 0 || t + 1 == total_; }

  /// How many exchanges the first t steps have ended with: the clock of the global weights.
  Clock rounds(Clock t) const { return t / every_ + (t == total_ && t % every_ != 0 ? 1 : 0); }

 private:
  const ParameterLayout& layout_;
  AlgorithmSettings settings_;
  Clock every_;
  Clock total_;
  AlignedBuffer<float> w_;
  AlignedBuffer<float> velocity_;
};

}  // namespace odsgd
