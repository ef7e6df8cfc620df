#pragma once

#include <cstddef>

#include "odsgd/algorithms/settings.hpp"
#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/base/parameter_layout.hpp"

namespace odsgd {

/// One key's weights around its local update in step t. All ranges hold the key's floats.
struct LocalWeights {
  const float* base;      ///< b: what the step starts from
  const float* previous;  ///< b of an earlier step, `gap` steps ago; see needs_previous()
  float* w;               ///< in: w^t, which the gradient was taken at; out: w^{t+1}. May be `base`
  float* keep = nullptr;  ///< where b is written, if anywhere; may be `previous`, not `base`
  bool is_pulled = true;  ///< b is global weights, not what the update of the step before left
  Clock gap = 1;
};

/// The local update of od-sgd, ssd-sgd and cd-sgd: w^{t+1} = b + u.
///
/// With the worker's gradient g^ = s' g, clipped; s' = 1, or 1/M with LocalScale::kGlobal; local
/// learning rate lr' of step t, local momentum m', server momentum m:
///
///   none     u = 0
///   sgd      v = m' v - lr' (g^ + decay b),  u = v
///   dc-c     u = -lr' (g^ + lambda g^ g^ D + decay b)
///   dc-a     as dc-c with lambda / sqrt(MS);  MS = d MS + (1 - d) g^ g^ + 1e-7
///   dc-norm  as dc-c with lambda |g^| / (|g^ g^ D| + 1e-8), norms over the key
///   mc       u = m (b - p) / gap - lr' (g^ + decay b): with lr' = lr the server's momentum step,
///            with the worker's own gradient in place of the mean. In steps that start from no
///            pulled weights u takes the place of (b - p) / gap
///   glu      v = m' v - lr' (2 g^ + 0.5 G + decay b),  u = v, with alpha = 2 and beta = 0.5;
///            G = ((1 - lr' decay) p - b) / (k lr'): the mean gradient of the last k global steps
///
/// D, the displacement, is b - p (DcReference::kPrevGlobal) or b - w^t (kCompute); products are
/// elementwise. With the optimizer lars, lr' is scaled as on the servers, by |b| and |g^|.
/// Sources: od_sgd.cpp, ssd_sgd.cpp and dc_asgd.cpp name the papers. State: one float a parameter
/// for sgd, glu, dc-a, and mc with k > 1. Threads: one at a time.
class LocalUpdate {
 public:
  LocalUpdate(const ParameterLayout& layout, const AlgorithmSettings& settings);

  bool needs_previous() const;

  /// Whether `previous` is b of the step before, also where that was no pulled one.
  bool follows_every_base() const;

  /// `g` is the key's mean gradient over the local batch, of step t.
  void update(Key key, Clock t, const float* g, const LocalWeights& at);

 private:
  float rate(Key key, Clock t, const float* g, const float* base) const;

  const ParameterLayout& layout_;
  AlgorithmSettings settings_;
  float scale_;
  AlignedBuffer<float> state_;  // v or MS
};

}  // namespace odsgd
