#include "app/serial_training.hpp"

#include <numeric>

#include "odsgd/compute/backend.hpp"
#include "odsgd/data/batch_stream.hpp"
#include "odsgd/data/dataset.hpp"
#include "odsgd/data/sampling.hpp"
#include "odsgd/nn/network.hpp"

namespace odsgd::test {
namespace {

using Floats = std::vector<float>;

/// Network and data of one process.
class Trainer {
 public:
  explicit Trainer(const SerialPlan& plan)
      : plan_(plan),
        data_(Dataset::load(plan.data)),
        backend_(make_backend({.name = "cpu"})),
        input_{data_.info().channels, data_.info().height, data_.info().width},
        network_(find_model(plan.model), input_, data_.info().classes(), plan.batch_per_worker,
                 *backend_),
        batch_(data_.info(), static_cast<std::size_t>(plan.batch_per_worker)) {}

  const ParameterLayout& layout() const { return network_.layout(); }

  Floats initial_weights() const {
    Floats w(layout().floats());
    initialize(find_model(plan_.model), input_, data_.info().classes(), plan_.seed, w);
    return w;
  }

  std::size_t steps_per_epoch() const {
    return data_.train().count / static_cast<std::size_t>(plan_.batch_per_worker * plan_.workers);
  }

  EpochOrder order(std::size_t epoch) const { return {data_.train().count, plan_.seed, epoch}; }

  /// Returns the mean loss of one worker's batch, and its gradient at w.
  double gradient(const EpochOrder& order, std::size_t step, int worker, const Floats& w,
                  Floats& g) {
    fill_batch(data_.info(), data_.train(),
               order.batch(step, worker, plan_.workers, plan_.batch_per_worker), batch_);
    return network_.forward_backward(w, batch_.images.span(), batch_.labels, g, {}).loss;
  }

  void evaluate(const Floats& w, SerialEpoch& epoch) {
    const auto capacity = batch_.labels.size();
    const std::size_t count = data_.test().count;
    std::vector<std::uint32_t> samples(count);
    std::iota(samples.begin(), samples.end(), 0U);
    for (std::size_t begin = 0; begin < count; begin += capacity) {
      const auto part = std::span(samples).subspan(begin, std::min(capacity, count - begin));
      fill_batch(data_.info(), data_.test(), part, batch_);
      const EvaluationSums sums =
          network_.evaluate(w, batch_.images.span(), batch_.labels, static_cast<int>(part.size()));
      epoch.test_loss += sums.loss / static_cast<double>(count);
      epoch.test_top1 += static_cast<double>(sums.top1) / static_cast<double>(count);
      epoch.test_top5 += static_cast<double>(sums.top5) / static_cast<double>(count);
    }
  }

 private:
  SerialPlan plan_;
  Dataset data_;
  std::unique_ptr<Backend> backend_;
  InputShape input_;
  Network network_;
  Batch batch_;
};

/// One worker's local weights w, and its velocity.
struct Local {
  Floats w;
  Floats v;
};

/// w = W^t + u for one float; `b` is W^t, `before` is W^{t-1}.
float local_weight(const AlgorithmSettings& s, float decay, float g, float b, float before,
                   float& v) {
  if (s.local_rule == LocalRule::kNone) return b;
  if (s.local_rule == LocalRule::kMc)
    return b + (s.momentum * (b - before) - s.local_lr.at(0) * (g + decay * b));
  v = s.local_momentum * v - s.local_lr.at(0) * (g + decay * b);
  return b + v;
}

}  // namespace

SerialResult train_serially(const SerialPlan& plan) {
  Trainer trainer(plan);
  const AlgorithmSettings& s = plan.settings;
  const ParameterLayout& layout = trainer.layout();
  const auto workers = static_cast<std::size_t>(plan.workers);
  SerialResult result{.layout = layout, .weights = trainer.initial_weights(), .epochs = {}};
  Floats& W = result.weights;
  Floats before = W;
  Floats V(W.size());
  std::vector<Local> locals(workers, {.w = W, .v = Floats(W.size())});
  std::vector<Floats> gradients(workers, Floats(W.size()));
  Clock t = 0;
  for (int epoch = 0; epoch < plan.epochs; ++epoch) {
    const EpochOrder order = trainer.order(static_cast<std::size_t>(epoch));
    SerialEpoch& numbers = result.epochs.emplace_back();
    const std::size_t steps = trainer.steps_per_epoch();
    for (std::size_t step = 0; step < steps; ++step, ++t) {
      for (std::size_t m = 0; m < workers; ++m) {
        numbers.train_loss +=
            trainer.gradient(order, step, static_cast<int>(m), locals[m].w, gradients[m]) /
            static_cast<double>(steps * workers);
      }
      const bool is_local = plan.is_od_sgd && t >= s.warmup_steps;
      for (Key k = 0; k < layout.keys(); ++k) {
        const Parameter& p = layout[k];
        const float decay = p.decays ? s.weight_decay : 0.0F;
        for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
          float sum = gradients[0][i];
          for (std::size_t m = 1; m < workers; ++m) sum += gradients[m][i];
          const float mean = sum / static_cast<float>(workers);
          const float W_t = W[i];
          V[i] = s.momentum * V[i] - s.lr.at(0) * (mean + decay * W_t);
          W[i] = W_t + V[i];
          for (std::size_t m = 0; m < workers; ++m) {
            locals[m].w[i] =
                is_local ? local_weight(s, decay, gradients[m][i], W_t, before[i], locals[m].v[i])
                         : W[i];
          }
          before[i] = W_t;
        }
      }
    }
    trainer.evaluate(W, numbers);
  }
  return result;
}

}  // namespace odsgd::test
