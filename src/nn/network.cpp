#include "odsgd/nn/network.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "odsgd/base/error.hpp"
#include "shape_inference.hpp"

namespace odsgd {
namespace {

/// Makes the op of a layer for a batch.
struct OpMaker {
  Backend& backend;
  TensorShape x;
  int outputs;

  std::unique_ptr<LayerOp> operator()(const Convolution& spec) const {
    return backend.convolution({.x = x,
                                .channels = spec.channels,
                                .kernel = spec.kernel,
                                .stride = spec.stride,
                                .padding = spec.padding});
  }
  std::unique_ptr<LayerOp> operator()(const Pooling& spec) const {
    return backend.pooling(
        {.kind = spec.kind, .x = x, .kernel = spec.kernel, .stride = spec.stride});
  }
  std::unique_ptr<LayerOp> operator()(const Relu& /*spec*/) const { return backend.relu(x); }
  std::unique_ptr<LayerOp> operator()(const FullyConnected& /*spec*/) const {
    return backend.fully_connected({.x = x, .outputs = outputs});
  }
};

TensorShape batch_of(int n, const SampleShape& sample) {
  return {.n = n, .c = sample.c, .h = sample.h, .w = sample.w};
}

/// A layer of the network: its op, where its activations lie, and its keys.
struct Layer {
  std::unique_ptr<LayerOp> op;
  View x;
  View y;
  std::size_t dx_floats = 0;  ///< 0: nobody asks for dx
  std::optional<Key> key;     ///< of the weight; the bias is key + 1
  LayerWeights weights;       ///< those of the last forward
  Timeline::Label forward_label = 0;
  Timeline::Label backward_label = 0;
};

/// Names of the layers that differ: "conv2", and "conv2 relu" for what comes after it.
std::vector<std::string> layer_names(const std::vector<LayerShapes>& layers) {
  std::vector<std::string> names;
  std::string prefix;
  for (const LayerShapes& layer : layers) {
    if (layer.weight.empty()) {
      names.push_back(prefix + layer.label);
    } else {
      names.push_back(layer.label);
      prefix = layer.label + " ";
    }
  }
  return names;
}

}  // namespace

struct Network::Impl {
  Impl(const ModelSpec& model, InputShape input, int classes, int batch_size, Backend& device,
       const Tracer* tracer, float label_smoothing);

  ConstView logits(std::span<const float> weights, std::span<const float> images,
                   FunctionRef<void(Key)> before_forward, const Tracer* spans);
  BatchResult train(ConstView logits, std::span<const std::int32_t> labels);
  void backward(const Layer& layer, ConstView from, View to, std::span<float> gradient);
  void backward(std::span<float> gradient, const GradientHooks& hooks);
  void check(std::span<const float> weights, std::span<const float> images) const;

  Backend& backend;
  ParameterLayout layout;
  const Tracer* tracer;
  Timeline::Label loss_label;
  int batch;
  std::size_t image_floats;
  std::unique_ptr<LayoutOp> import;
  std::unique_ptr<LossOp> loss;
  std::vector<Layer> layers;
  std::vector<Buffer> activations;      // images first, then one a layer that is not in place
  std::vector<Buffer> weight_copies;    // one a key
  std::vector<Buffer> gradient_copies;  // one a key
  Buffer dy;                            // backward goes from dy to dx, then they change places
  Buffer dx;
};

Network::Impl::Impl(const ModelSpec& model, InputShape input, int classes, int batch_size,
                    Backend& device, const Tracer* the_tracer, float label_smoothing)
    : backend(device),
      layout(layout_of(model, input, classes)),
      tracer(the_tracer),
      loss_label(label_in(tracer, "loss")),
      batch(batch_size) {
  ODSGD_REQUIRE(batch > 0, "model {}: got batch {}, want 1 or more", model.name, batch);
  const std::vector<LayerShapes> shapes = infer_shapes(model, input, classes);
  const std::vector<std::string> names = layer_names(shapes);
  const TensorShape images = batch_of(batch, shapes.front().input);
  image_floats = images.floats();
  import = backend.layout(images);
  loss = backend.softmax_cross_entropy(
      {.batch = batch, .classes = classes, .label_smoothing = label_smoothing});
  activations.push_back(backend.allocate(images.floats()));

  std::size_t largest = 0;
  Key next_key = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const TensorShape x = batch_of(batch, shapes[i].input);
    const TensorShape y = batch_of(batch, shapes[i].output);
    Layer layer;
    layer.op = std::visit(OpMaker{backend, x, y.c}, model.layers[i]);
    layer.x = activations.back().view();
    if (!layer.op->works_in_place()) activations.push_back(backend.allocate(y.floats()));
    layer.y = activations.back().view();
    layer.dx_floats = next_key > 0 ? x.floats() : 0;  // below the first weights no one needs it
    if (!shapes[i].weight.empty()) {
      layer.key = next_key;
      next_key += 2;
    }
    layer.forward_label = label_in(tracer, names[i] + " forward");
    layer.backward_label = label_in(tracer, names[i] + " backward");
    largest = std::max({largest, layer.dx_floats, y.floats()});
    layers.push_back(std::move(layer));
  }
  dy = backend.allocate(largest);
  dx = backend.allocate(largest);
  for (Key key = 0; key < layout.keys(); ++key) {
    weight_copies.push_back(backend.allocate_copy(layout[key].count));
    gradient_copies.push_back(backend.allocate_copy(layout[key].count));
  }
}

void Network::Impl::check(std::span<const float> weights, std::span<const float> images) const {
  ODSGD_REQUIRE(weights.size() == layout.floats(), "network: got {} weights, want {}",
                weights.size(), layout.floats());
  ODSGD_REQUIRE(images.size() == image_floats, "network: got {} floats of images, want {}",
                images.size(), image_floats);
}

ConstView Network::Impl::logits(std::span<const float> weights, std::span<const float> images,
                                FunctionRef<void(Key)> before_forward, const Tracer* spans) {
  import->from_plain(images, activations.front().view());
  for (Layer& layer : layers) {
    if (layer.key && before_forward) {
      before_forward(*layer.key);
      before_forward(*layer.key + 1);
    }
    const TimelineSpan span(spans, Lane::kCompute, layer.forward_label);
    if (layer.key) {
      const Key key = *layer.key;
      layer.weights.weight = backend.upload(layout.slice(key, weights), weight_copies[key].view());
      layer.weights.bias =
          backend.upload(layout.slice(key + 1, weights), weight_copies[key + 1].view());
    }
    layer.op->forward(layer.x, layer.weights, layer.y);
  }
  return layers.back().y;
}

BatchResult Network::Impl::train(ConstView logits, std::span<const std::int32_t> labels) {
  const TimelineSpan span(tracer, Lane::kCompute, loss_label);
  return loss->train(logits, labels, dy.view().first(logits.size()));
}

void Network::Impl::backward(const Layer& layer, ConstView from, View to,
                             std::span<float> gradient) {
  const TimelineSpan span(tracer, Lane::kCompute, layer.backward_label);
  LayerGradients gradients;
  if (layer.key) {
    const Key key = *layer.key;
    gradients.weight =
        backend.destination(layout.slice(key, gradient), gradient_copies[key].view());
    gradients.bias =
        backend.destination(layout.slice(key + 1, gradient), gradient_copies[key + 1].view());
  }
  layer.op->backward(layer.x, layer.y, from, layer.weights, to, gradients);
  if (!layer.key) return;
  for (const Key key : {*layer.key + 1, *layer.key}) {
    backend.download(gradient_copies[key].view(), layout.slice(key, gradient));
  }
}

void Network::Impl::backward(std::span<float> gradient, const GradientHooks& hooks) {
  for (std::size_t i = layers.size(); i > 0; --i) {
    Layer& layer = layers[i - 1];
    const View from = dy.view().first(layer.y.size());
    const View to = (layer.op->works_in_place() ? dy : dx).view().first(layer.dx_floats);
    if (layer.key && hooks.before_backward) {
      hooks.before_backward(*layer.key + 1);
      hooks.before_backward(*layer.key);
    }
    backward(layer, from, to, gradient);
    if (layer.key && hooks.after_backward) {
      hooks.after_backward(*layer.key + 1);
      hooks.after_backward(*layer.key);
    }
    if (layer.dx_floats == 0) return;
    if (!layer.op->works_in_place()) std::swap(dy, dx);
  }
}

Network::Network(const ModelSpec& model, InputShape input, int classes, int batch, Backend& backend,
                 const Tracer* tracer, float label_smoothing)
    : impl_(
          std::make_unique<Impl>(model, input, classes, batch, backend, tracer, label_smoothing)) {}
Network::~Network() = default;
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;

const ParameterLayout& Network::layout() const { return impl_->layout; }
int Network::batch() const { return impl_->batch; }

BatchResult Network::forward_backward(std::span<const float> weights, std::span<const float> images,
                                      std::span<const std::int32_t> labels,
                                      std::span<float> gradient, const GradientHooks& hooks) {
  impl_->check(weights, images);
  ODSGD_REQUIRE(gradient.size() == layout().floats(), "network: got {} floats of gradient, want {}",
                gradient.size(), layout().floats());
  const ConstView logits = impl_->logits(weights, images, hooks.before_forward, impl_->tracer);
  const BatchResult result = impl_->train(logits, labels);
  impl_->backward(gradient, hooks);
  return result;
}

EvaluationSums Network::evaluate(std::span<const float> weights, std::span<const float> images,
                                 std::span<const std::int32_t> labels, int count) {
  impl_->check(weights, images);
  ODSGD_REQUIRE(
      count >= 0 && count <= batch() && static_cast<std::size_t>(count) <= labels.size(),
      "evaluate: got {} samples to count and {} labels, want at most {} (the batch) and as "
      "many labels",
      count, labels.size(), batch());
  const ConstView logits = impl_->logits(weights, images, {}, nullptr);
  return impl_->loss->evaluate(logits, labels.first(static_cast<std::size_t>(count)));
}

}  // namespace odsgd
