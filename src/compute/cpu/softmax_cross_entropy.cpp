#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops.hpp"

namespace odsgd::cpu {
namespace {

class SoftmaxCrossEntropy final : public LossOp {
 public:
  SoftmaxCrossEntropy(const Context& context, const LossShape& shape)
      : context_(context),
        batch_(static_cast<std::size_t>(shape.batch)),
        classes_(static_cast<std::size_t>(shape.classes)),
        smoothing_(shape.label_smoothing) {}

  BatchResult train(ConstView z, std::span<const std::int32_t> labels, View dz) override {
    check_size("softmax: z", z.size(), batch_ * classes_);
    check_size("softmax: dz", dz.size(), batch_ * classes_);
    ODSGD_REQUIRE(labels.size() == batch_, "softmax: got {} labels, want {}", labels.size(),
                  batch_);
    const Scope scope(context_);
    const auto n = static_cast<float>(batch_);
    const float every = smoothing_ / static_cast<float>(classes_) / n;  // of the target / N
    const float own = (1.0F - smoothing_) / n;
    BatchResult result;
    for (std::size_t i = 0; i < batch_; ++i) {
      const ConstView row = z.subspan(i * classes_, classes_);
      const View gradient = dz.subspan(i * classes_, classes_);
      const std::size_t label = checked_label(labels, i);
      const float top = *std::max_element(row.begin(), row.end());
      float sum = 0;
      for (std::size_t j = 0; j < classes_; ++j) {
        gradient[j] = std::exp(row[j] - top);
        sum += gradient[j];
      }
      for (float& g : gradient) g = g / (sum * n) - every;
      gradient[label] -= own;
      result.loss += loss(row, label, top, sum);
      if (smoothing_ > 0) result.loss += smoothing_ * (row[label] - mean(row));
      result.correct += rank(row, label) == 0 ? 1 : 0;
    }
    result.loss /= static_cast<double>(batch_);
    return result;
  }

  EvaluationSums evaluate(ConstView z, std::span<const std::int32_t> labels) override {
    check_size("softmax: z", z.size(), batch_ * classes_);
    ODSGD_REQUIRE(labels.size() <= batch_, "softmax: got {} labels, want at most {}", labels.size(),
                  batch_);
    const Scope scope(context_);
    EvaluationSums sums;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const ConstView row = z.subspan(i * classes_, classes_);
      const std::size_t label = checked_label(labels, i);
      const float top = *std::max_element(row.begin(), row.end());
      float sum = 0;
      for (const float value : row) sum += std::exp(value - top);
      const std::size_t place = rank(row, label);
      sums.loss += loss(row, label, top, sum);
      sums.top1 += place == 0 ? 1 : 0;
      sums.top5 += place < 5 ? 1 : 0;
      ++sums.samples;
    }
    return sums;
  }

 private:
  std::size_t checked_label(std::span<const std::int32_t> labels, std::size_t i) const {
    const std::int32_t label = labels[i];
    ODSGD_REQUIRE(label >= 0 && static_cast<std::size_t>(label) < classes_,
                  "sample {} of the batch: got label {}, want 0 to {}", i, label, classes_ - 1);
    return static_cast<std::size_t>(label);
  }

  /// log(sum_j exp(z_j)) - z_label, with the greatest z taken out of the sum so that it cannot
  /// overflow.
  static double loss(ConstView row, std::size_t label, float top, float sum) {
    return std::log(static_cast<double>(sum)) + (static_cast<double>(top) - row[label]);
  }

  static double mean(ConstView row) {
    return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
  }

  static std::size_t rank(ConstView row, std::size_t label) {
    std::size_t before = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j != label && !(row[j] < row[label])) ++before;
    }
    return before;
  }

  const Context& context_;
  std::size_t batch_;
  std::size_t classes_;
  float smoothing_;
};

}  // namespace

std::unique_ptr<LossOp> make_softmax_cross_entropy(const Context& context, const LossShape& shape) {
  shape.check();
  return std::make_unique<SoftmaxCrossEntropy>(context, shape);
}

}  // namespace odsgd::cpu
