#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "nn/made_up_data.hpp"
#include "odsgd/nn/network.hpp"

using namespace odsgd;

namespace {

constexpr int kBatch = 4;

/// A network that is traced, and its data.
struct Setup {
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const Timeline::Span& span : timeline.spans())
      list.push_back(timeline.labels()[span.label]);
    return list;
  }
  void step(const GradientHooks& hooks) {
    std::vector<float> gradient(weights.size());
    network.forward_backward(weights, data.images, data.labels, gradient, hooks);
  }

  Tracer tracer{.timeline = std::make_shared<Timeline>(), .step = 5};
  Timeline& timeline = *tracer.timeline;
  ModelSpec model{.name = "two",
                  .layers = {FullyConnected{.name = "a", .outputs = 8}, Relu{},
                             FullyConnected{.name = "b", .outputs = kClasses}},
                  .initialisation = Initialisation::kUniformFanIn,
                  .requires_input = {}};
  std::unique_ptr<Backend> backend = make_backend({.name = "cpu"});
  Network network{model, kTinyInput, kTinyClasses, kBatch, *backend, &tracer};
  MadeUpBatch data = made_up_batch(kTinyInput, kTinyClasses, kBatch, 1);
  std::vector<float> weights = initial_weights(model, kTinyInput, kTinyClasses, 3);
};

}  // namespace

TEST_CASE("network: with a tracer each layer's forward and backward is a span of the step") {
  Setup s;

  s.step({});

  CHECK(s.names() == std::vector<std::string>{"a forward", "a relu forward", "b forward", "loss",
                                              "b backward", "a relu backward", "a backward"});
  double end_s = 0;
  for (const Timeline::Span& span : s.timeline.spans()) {
    CHECK(span.lane == Lane::kCompute);
    CHECK(span.step == 5);
    CHECK(span.key == kNoKey);
    CHECK(span.begin_s >= end_s);
    end_s = span.end_s;
  }
}

TEST_CASE("network: no span goes on while a hook is called") {
  Setup s;
  std::vector<double> calls;
  const auto hook = [&](Key) { calls.push_back(now_s()); };

  s.step({hook, hook, hook});

  REQUIRE(calls.size() == 3 * 4);
  for (const Timeline::Span& span : s.timeline.spans()) {
    for (const double call_s : calls) CHECK((call_s <= span.begin_s || call_s >= span.end_s));
  }
}

TEST_CASE("network: an evaluation is no step, and adds no spans") {
  Setup s;

  s.network.evaluate(s.weights, s.data.images, s.data.labels, kBatch);

  CHECK(s.timeline.size() == 0);
}
