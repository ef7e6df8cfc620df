#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "compute/backend_under_test.hpp"
#include "compute/reference.hpp"
#include "odsgd/base/error.hpp"

using namespace odsgd;

namespace {

using Labels = std::vector<std::int32_t>;

/// The op on plain memory.
struct Loss {
  Loss(int n, int k, float smoothing = 0)
      : op(backend->softmax_cross_entropy({n, k, smoothing})),
        layout(backend->layout({.n = n, .c = k})),
        z(backend->allocate(static_cast<std::size_t>(n * k))),
        dz(backend->allocate(static_cast<std::size_t>(n * k))),
        gradient(static_cast<std::size_t>(n * k)) {}

  BatchResult train(const std::vector<float>& logits, const Labels& labels) {
    layout->from_plain(logits, z.view());
    const BatchResult result = op->train(z.view(), labels, dz.view());
    layout->to_plain(dz.view(), gradient);
    return result;
  }

  EvaluationSums evaluate(const std::vector<float>& logits, const Labels& labels) {
    layout->from_plain(logits, z.view());
    return op->evaluate(z.view(), labels);
  }

  std::unique_ptr<Backend> backend = backend_under_test();
  std::unique_ptr<LossOp> op;
  std::unique_ptr<LayoutOp> layout;
  Buffer z, dz;
  std::vector<float> gradient;
};

}  // namespace

TEST_CASE("softmax: loss and gradient of the mean equal the formula") {
  constexpr int kN = 7;
  constexpr int kK = 11;
  Loss loss(kN, kK);
  std::vector<float> z = reference::noise(kN * kK, 1);
  for (float& value : z) value *= 5.0F;
  Labels labels;
  for (int i = 0; i < kN; ++i) labels.push_back(i * 3 % kK);

  const BatchResult got = loss.train(z, labels);

  double mean = 0;
  int correct = 0;
  std::vector<double> want(kN * kK);
  for (std::size_t i = 0; i < kN; ++i) {
    double sum = 0;
    std::size_t best = 0;
    for (std::size_t j = 0; j < kK; ++j) {
      sum += std::exp(static_cast<double>(z[i * kK + j]));
      if (z[i * kK + j] > z[i * kK + best]) best = j;
    }
    const auto label = static_cast<std::size_t>(labels[i]);
    mean += (std::log(sum) - z[i * kK + label]) / kN;
    correct += best == label ? 1 : 0;
    for (std::size_t j = 0; j < kK; ++j) {
      want[i * kK + j] = (std::exp(static_cast<double>(z[i * kK + j])) / sum - (j == label)) / kN;
    }
  }
  CHECK(got.loss == doctest::Approx(mean).epsilon(1e-6));
  CHECK(got.correct == correct);
  CHECK(reference::relative_error(loss.gradient, want) < 1e-6);
}

TEST_CASE("softmax: with label smoothing e the target is (1 - e) of the label and e of all") {
  // Logits 0: softmax 1/4 each, loss log 4 whatever the target; 1 and 0s: by hand.
  Loss flat(1, 4, 0.2F);
  CHECK(flat.train({0, 0, 0, 0}, {2}).loss == doctest::Approx(std::log(4.0)));
  const std::vector<float> want{0.25F - 0.05F, 0.25F - 0.05F, 0.25F - 0.85F, 0.25F - 0.05F};
  for (std::size_t j = 0; j < 4; ++j) CHECK(flat.gradient[j] == doctest::Approx(want[j]));

  Loss loss(1, 4, 0.2F);
  const double log_sum = std::log(std::exp(1.0) + 3);
  CHECK(loss.train({1, 0, 0, 0}, {0}).loss == doctest::Approx(log_sum - 0.85));
  CHECK(loss.evaluate({1, 0, 0, 0}, {0}).loss == doctest::Approx(log_sum - 1));
}

TEST_CASE("softmax: without label smoothing the bits are those of (softmax - onehot) / N") {
  Loss plain(3, 4);
  const std::vector<float> z = reference::noise(12, 1);
  plain.train(z, {0, 3, 1});
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t label = std::vector<std::size_t>{0, 3, 1}[i];
    float top = z[i * 4];
    for (std::size_t j = 1; j < 4; ++j) top = std::max(top, z[i * 4 + j]);
    float sum = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += std::exp(z[i * 4 + j] - top);
    for (std::size_t j = 0; j < 4; ++j) {
      float want = std::exp(z[i * 4 + j] - top) / (sum * 3.0F);
      if (j == label) want -= 1.0F / 3.0F;
      CHECK(plain.gradient[i * 4 + j] == want);
    }
  }
}

TEST_CASE("softmax: a smoothing outside [0, 1) is refused") {
  const auto backend = backend_under_test();
  for (const float smoothing : {-0.1F, 1.0F, std::numeric_limits<float>::quiet_NaN()}) {
    CHECK_THROWS_AS(backend->softmax_cross_entropy({2, 3, smoothing}), Error);
  }
}

TEST_CASE("softmax: the gradient is the slope of the mean loss") {
  for (const float smoothing : {0.0F, 0.3F}) {
    Loss loss(3, 4, smoothing);
    std::vector<float> z = reference::noise(12, 1);
    const Labels labels = {0, 3, 1};
    loss.train(z, labels);
    const std::vector<float> gradient = loss.gradient;

    for (std::size_t i = 0; i < z.size(); ++i) {
      const float kept = z[i];
      z[i] = kept + 0.01F;
      const double up = loss.train(z, labels).loss;
      z[i] = kept - 0.01F;
      const double down = loss.train(z, labels).loss;
      z[i] = kept;
      CHECK((up - down) / 0.02 == doctest::Approx(gradient[i]).epsilon(1e-3));
    }
  }
}

TEST_CASE("softmax: large logits neither overflow nor lose the loss") {
  Loss loss(2, 3);

  const BatchResult got = loss.train({1000, 0, -1000, -1000, 0, 1000}, {0, 0});

  CHECK(got.loss == doctest::Approx((0.0 + 2000.0) / 2));
  CHECK(loss.gradient == std::vector<float>{0, 0, 0, -0.5F, 0, 0.5F});
}

TEST_CASE("evaluation: counts the label's rank, and only as many samples as there are labels") {
  Loss loss(4, 7);
  const std::vector<float> z = {
      9, 8, 7, 6, 5, 4, 3,  // label 0: first
      9, 8, 7, 6, 5, 4, 3,  // label 4: fifth
      9, 8, 7, 6, 5, 4, 3,  // label 5: sixth
      9, 8, 7, 6, 5, 4, 3,  // not counted
  };

  const EvaluationSums got = loss.evaluate(z, {0, 4, 5});

  double log_sum = 0;
  for (const double value : {9., 8., 7., 6., 5., 4., 3.}) log_sum += std::exp(value);
  log_sum = std::log(log_sum);
  CHECK(got.samples == 3);
  CHECK(got.top1 == 1);
  CHECK(got.top5 == 2);
  CHECK(got.loss == doctest::Approx(3 * log_sum - 9 - 5 - 4).epsilon(1e-6));
}

TEST_CASE(
    "evaluation: a predictor that says the same for all classes, or nothing, is never right") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float constant : {0.0F, 3.5F, kNan}) {
    Loss loss(6, 6);
    const std::vector<float> z(36, constant);
    const Labels labels = {0, 1, 2, 3, 4, 5};

    const EvaluationSums got = loss.evaluate(z, labels);

    CHECK(got.top1 == 0);
    CHECK(got.top5 == 0);
    CHECK(loss.train(z, labels).correct == 0);
  }
}

TEST_CASE("evaluation: sums add up") {
  EvaluationSums sums{.loss = 1.5, .top1 = 1, .top5 = 2, .samples = 3};
  sums += {.loss = 0.5, .top1 = 10, .top5 = 20, .samples = 30};

  CHECK(sums.loss == 2.0);
  CHECK(sums.top1 == 11);
  CHECK(sums.top5 == 22);
  CHECK(sums.samples == 33);
}

TEST_CASE("softmax: a label outside the classes is an error that names it") {
  Loss loss(2, 3);
  const std::vector<float> z(6);

  CHECK_THROWS_WITH_AS(loss.train(z, {0, 3}), "sample 1 of the batch: got label 3, want 0 to 2",
                       Error);
  CHECK_THROWS_WITH_AS(loss.evaluate(z, {-1}), "sample 0 of the batch: got label -1, want 0 to 2",
                       Error);
  CHECK_THROWS_AS(loss.train(z, {0}), Error);
  CHECK_THROWS_AS(loss.evaluate(z, {0, 1, 2}), Error);
}
