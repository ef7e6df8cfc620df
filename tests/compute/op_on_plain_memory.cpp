#include "compute/op_on_plain_memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace odsgd {

OpOnPlainMemory::OpOnPlainMemory(Backend& backend, std::unique_ptr<LayerOp> op,
                                 const TensorShape& x, const TensorShape& y)
    : backend_(backend),
      op_(std::move(op)),
      x_layout_(backend.layout(x)),
      y_layout_(backend.layout(y)),
      x_(backend.allocate(x.floats())),
      y_(backend.allocate(y.floats())),
      dx_(backend.allocate(x.floats())),
      dy_(backend.allocate(y.floats())) {}

std::vector<float> OpOnPlainMemory::forward(std::span<const float> x, std::span<const float> weight,
                                            std::span<const float> bias) {
  weight_.assign(weight.begin(), weight.end());
  bias_.assign(bias.begin(), bias.end());
  weight_copy_ = backend_.allocate_copy(weight.size());
  bias_copy_ = backend_.allocate_copy(bias.size());
  x_layout_->from_plain(x, x_.view());
  op_->forward(x_.view(), weights(), y_.view());
  std::vector<float> y(y_.view().size());
  y_layout_->to_plain(y_.view(), y);
  return y;
}

PlainGradients OpOnPlainMemory::backward(std::span<const float> dy, bool wants_dx) {
  PlainGradients g{.dx = {},
                   .weight = std::vector<float>(weight_.size()),
                   .bias = std::vector<float>(bias_.size())};
  Buffer weight_copy = backend_.allocate_copy(g.weight.size());
  Buffer bias_copy = backend_.allocate_copy(g.bias.size());
  y_layout_->from_plain(dy, dy_.view());
  op_->backward(x_.view(), y_.view(), dy_.view(), weights(), wants_dx ? dx_.view() : View{},
                {.weight = backend_.destination(g.weight, weight_copy.view()),
                 .bias = backend_.destination(g.bias, bias_copy.view())});
  backend_.download(weight_copy.view(), g.weight);
  backend_.download(bias_copy.view(), g.bias);
  if (wants_dx) {
    g.dx.resize(dx_.view().size());
    x_layout_->to_plain(dx_.view(), g.dx);
  }
  return g;
}

LayerWeights OpOnPlainMemory::weights() {
  return {.weight = backend_.upload(weight_, weight_copy_.view()),
          .bias = backend_.upload(bias_, bias_copy_.view())};
}

double finite_difference_error(OpOnPlainMemory& op, std::vector<float> x, std::vector<float> weight,
                               std::vector<float> bias, std::span<const float> dy, float step) {
  op.forward(x, weight, bias);
  const PlainGradients gradients = op.backward(dy);
  const auto value = [&] {
    const std::vector<float> y = op.forward(x, weight, bias);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += static_cast<double>(y[i]) * dy[i];
    return sum;
  };
  constexpr std::size_t kChecks = 24;
  double worst = 0;
  const auto check = [&](std::vector<float>& variable, const std::vector<float>& gradient) {
    double greatest = 0;
    double error = 0;
    for (const float g : gradient) greatest = std::max(greatest, std::abs(static_cast<double>(g)));
    for (std::size_t k = 0; k < std::min(kChecks, variable.size()); ++k) {
      // Coordinates spread over the array; a prime, so that they do not all fall into one channel.
      const std::size_t i = variable.size() <= kChecks ? k : k * 7919 % variable.size();
      const float kept = variable[i];
      variable[i] = kept + step;
      const double up = value();
      variable[i] = kept - step;
      const double down = value();
      variable[i] = kept;
      error = std::max(error, std::abs((up - down) / (2.0 * step) - gradient[i]));
    }
    if (greatest > 0) error /= greatest;
    worst = std::max(worst, error);
  };
  check(x, gradients.dx);
  check(weight, gradients.weight);
  check(bias, gradients.bias);
  return worst;
}

}  // namespace odsgd
