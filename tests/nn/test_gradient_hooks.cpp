#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "nn/made_up_data.hpp"
#include "odsgd/nn/network.hpp"

using namespace odsgd;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A tiny network with its data and the gradient of a step without hooks.
struct Setup {
  Setup() : plain_gradient(weights.size()) {
    network.forward_backward(weights, data.images, data.labels, plain_gradient, {});
  }

  std::unique_ptr<Backend> backend = make_backend({.name = "cpu"});
  Network network{tiny_model(), kTinyInput, kTinyClasses, 6, *backend};
  MadeUpBatch data = made_up_batch(kTinyInput, kTinyClasses, 6, 1);
  std::vector<float> weights = initial_weights(tiny_model(), kTinyInput, kTinyClasses, 3);
  std::vector<float> plain_gradient;
};

void copy_slice(const ParameterLayout& layout, Key key, const std::vector<float>& from,
                std::vector<float>& to) {
  const auto source = layout.slice(key, std::span<const float>(from));
  std::copy(source.begin(), source.end(), layout.slice(key, std::span<float>(to)).begin());
}

}  // namespace

TEST_CASE("hooks: each key once, ascending before forward, then descending after backward") {
  Setup s;
  std::vector<float> gradient(s.weights.size());
  // key + 1 before its forward; 100 + key before, -(key + 1) after its backward
  std::vector<int> calls;
  const auto before_forward = [&](Key key) { calls.push_back(static_cast<int>(key) + 1); };
  const auto before_backward = [&](Key key) { calls.push_back(100 + static_cast<int>(key)); };
  const auto after_backward = [&](Key key) { calls.push_back(-static_cast<int>(key) - 1); };

  s.network.forward_backward(s.weights, s.data.images, s.data.labels, gradient,
                             {before_forward, before_backward, after_backward});

  CHECK(calls == std::vector<int>{1,   2,   3,  4,  5,   6,   7,  8,  107, 106, -8, -7,
                                  105, 104, -6, -5, 103, 102, -4, -3, 101, 100, -2, -1});
  CHECK(gradient == s.plain_gradient);
}

TEST_CASE("hooks: weights may arrive as late as in before_forward") {
  Setup s;
  std::vector<float> gradient(s.weights.size());
  std::vector<float> late(s.weights.size(), kNan);
  const auto before_forward = [&](Key key) {
    copy_slice(s.network.layout(), key, s.weights, late);
  };

  s.network.forward_backward(late, s.data.images, s.data.labels, gradient,
                             {before_forward, {}, {}});

  CHECK(gradient == s.plain_gradient);
}

TEST_CASE("hooks: in after_backward the gradient is final, and it and the weights may go") {
  Setup s;
  const ParameterLayout& layout = s.network.layout();
  std::vector<float> gradient(s.weights.size());
  std::vector<float> weights = s.weights;
  std::vector<float> seen(s.weights.size());
  const auto before_backward = [&](Key key) {
    for (const float g : layout.slice(key, std::span(gradient))) CHECK(g == 0);
  };
  const auto after_backward = [&](Key key) {
    copy_slice(layout, key, gradient, seen);
    for (float& g : layout.slice(key, std::span(gradient))) g = kNan;
    for (float& w : layout.slice(key, std::span(weights))) w = kNan;
  };

  s.network.forward_backward(weights, s.data.images, s.data.labels, gradient,
                             {{}, before_backward, after_backward});

  CHECK(seen == s.plain_gradient);
  CHECK(std::all_of(gradient.begin(), gradient.end(), [](float g) { return g != g; }));
}

TEST_CASE("hooks: an error thrown inside one comes out, and the network still works") {
  Setup s;
  std::vector<float> gradient(s.weights.size());
  const auto after_backward = [](Key key) {
    if (key == 4) throw 4;
  };

  CHECK_THROWS_AS(s.network.forward_backward(s.weights, s.data.images, s.data.labels, gradient,
                                             {{}, {}, after_backward}),
                  int);
  s.network.forward_backward(s.weights, s.data.images, s.data.labels, gradient, {});

  CHECK(gradient == s.plain_gradient);
}
