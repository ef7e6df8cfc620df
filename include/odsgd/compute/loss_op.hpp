#pragma once

#include <cstdint>
#include <span>

#include "odsgd/compute/shape.hpp"

namespace odsgd {

/// What a loss is computed on, and with which targets.
struct LossShape {
  int batch = 0;    ///< N
  int classes = 0;  ///< K
  float label_smoothing = 0;

  /// Throws Error unless there are 1 or more samples, 2 or more classes, and a smoothing from 0 to
  /// less than 1.
  void check() const;
};

/// What one training batch gave.
struct BatchResult {
  double loss = 0;  ///< mean over the batch
  int correct = 0;  ///< samples whose label ranks first
};

/// Sums over evaluated samples; they add up over batches and ranks.
struct EvaluationSums {
  double loss = 0;
  std::int64_t top1 = 0;
  std::int64_t top5 = 0;
  std::int64_t samples = 0;

  EvaluationSums& operator+=(const EvaluationSums& other) {
    loss += other.loss;
    top1 += other.top1;
    top5 += other.top5;
    samples += other.samples;
    return *this;
  }
};

/// Softmax and cross-entropy of logits z (N, K) with labels in [0, K).
///
/// loss of a sample = log(sum_j exp(z_j)) - sum_j p_j z_j, with targets p = (1 - e) onehot(label) +
/// e / K and label smoothing e; in an evaluation with e = 0. The label's rank is the number of
/// other classes j for which z_j < z_label does not hold: ties, and not-a-number, count against the
/// label, so a predictor that says the same for all classes is never right by the order of classes.
/// top1: rank 0; top5: rank below 5. Threads as LayerOp.
/// Throws Error on a label outside the classes and on views of the wrong size.
class LossOp {
 public:
  virtual ~LossOp() = default;

  /// dz (N, K) = gradient of the mean loss of the batch = (softmax(z) - p) / N.
  virtual BatchResult train(ConstView z, std::span<const std::int32_t> labels, View dz) = 0;

  /// Over the first labels.size() samples of z.
  virtual EvaluationSums evaluate(ConstView z, std::span<const std::int32_t> labels) = 0;
};

}  // namespace odsgd
