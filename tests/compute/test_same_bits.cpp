#include <doctest/doctest.h>

#include <functional>
#include <thread>

#include "compute/backend_under_test.hpp"
#include "compute/reference.hpp"

using namespace odsgd;

namespace {

const ConvolutionShape kConvolution{
    .x = {.n = 9, .c = 20, .h = 12, .w = 12}, .channels = 50, .kernel = 5};
const FullyConnectedShape kFullyConnected{.x = {.n = 33, .c = 50, .h = 4, .w = 4}, .outputs = 130};

/// y, dx and the gradients of one layer, one after the other, all arguments `shift` floats away
/// from an aligned address of host memory.
std::vector<float> all_results(Backend& backend, LayerOp& op, const TensorShape& x_shape,
                               const TensorShape& y_shape, std::size_t weights, std::size_t biases,
                               std::size_t shift) {
  const auto device = [&](std::size_t count, std::uint64_t stream, const TensorShape& shape) {
    Buffer buffer = backend.allocate(count + shift);
    if (stream != 0) {
      backend.layout(shape)->from_plain(reference::noise(count, stream),
                                        buffer.view().subspan(shift));
    }
    return buffer;
  };
  const auto host = [&](std::size_t count, std::uint64_t stream) {
    std::vector<float> values(shift);
    const std::vector<float> tail = reference::noise(count, stream);
    values.insert(values.end(), tail.begin(), tail.end());
    return values;
  };
  Buffer x = device(x_shape.floats(), 1, x_shape);
  Buffer dy = device(y_shape.floats(), 2, y_shape);
  Buffer y = device(y_shape.floats(), 0, y_shape);
  Buffer dx = device(x_shape.floats(), 0, x_shape);
  const std::vector<float> weight = host(weights, 3);
  const std::vector<float> bias = host(biases, 4);
  std::vector<float> weight_gradient(weights + shift);
  std::vector<float> bias_gradient(biases + shift);
  std::vector<Buffer> copies;
  for (const std::size_t count : {weights, biases, weights, biases})
    copies.push_back(backend.allocate_copy(count));

  const LayerWeights w{.weight = backend.upload(std::span(weight).subspan(shift), copies[0].view()),
                       .bias = backend.upload(std::span(bias).subspan(shift), copies[1].view())};
  const auto to = [&](std::vector<float>& values) { return std::span(values).subspan(shift); };
  op.forward(x.view().subspan(shift), w, y.view().subspan(shift));
  op.backward(x.view().subspan(shift), y.view().subspan(shift), dy.view().subspan(shift), w,
              dx.view().subspan(shift),
              {.weight = backend.destination(to(weight_gradient), copies[2].view()),
               .bias = backend.destination(to(bias_gradient), copies[3].view())});
  backend.download(copies[2].view(), to(weight_gradient));
  backend.download(copies[3].view(), to(bias_gradient));

  std::vector<float> all(y_shape.floats() + x_shape.floats());
  backend.layout(y_shape)->to_plain(y.view().subspan(shift),
                                    std::span(all).first(y_shape.floats()));
  backend.layout(x_shape)->to_plain(dx.view().subspan(shift),
                                    std::span(all).subspan(y_shape.floats()));
  for (const auto* gradient : {&weight_gradient, &bias_gradient}) {
    all.insert(all.end(), gradient->begin() + static_cast<std::ptrdiff_t>(shift), gradient->end());
  }
  return all;
}

std::vector<float> convolution(Backend& backend, std::size_t shift) {
  const auto op = backend.convolution(kConvolution);
  return all_results(backend, *op, kConvolution.x, kConvolution.y(), kConvolution.weight_floats(),
                     static_cast<std::size_t>(kConvolution.channels), shift);
}

std::vector<float> fully_connected(Backend& backend, std::size_t shift) {
  const auto op = backend.fully_connected(kFullyConnected);
  return all_results(backend, *op, kFullyConnected.x, kFullyConnected.y(),
                     kFullyConnected.weight_floats(),
                     static_cast<std::size_t>(kFullyConnected.outputs), shift);
}

}  // namespace

TEST_CASE("same bits: at any address") {
  const auto backend = backend_under_test();
  const std::vector<float> conv = convolution(*backend, 0);
  const std::vector<float> full = fully_connected(*backend, 0);

  for (const std::size_t shift : {1U, 3U, 4U, 8U, 15U}) {
    CAPTURE(shift);
    CHECK(convolution(*backend, shift) == conv);
    CHECK(fully_connected(*backend, shift) == full);
  }
}

TEST_CASE("same bits: in threads that compute at the same time") {
  const auto backend = backend_under_test();
  const std::vector<float> conv = convolution(*backend, 0);
  const std::vector<float> full = fully_connected(*backend, 0);

  constexpr std::size_t kThreads = 4;
  std::vector<int> same(kThreads, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto own = backend_under_test();
      bool equal = true;
      for (int repeat = 0; repeat < 5; ++repeat) {
        equal = equal && convolution(*own, i) == conv && fully_connected(*own, i) == full;
      }
      same[i] = equal ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();

  CHECK(same == std::vector<int>(kThreads, 1));
}

TEST_CASE("same bits: a backend with two threads, made in one thread and used in another") {
  const auto backend = backend_under_test(2);
  const std::vector<float> want = convolution(*backend, 0);
  const auto op = backend->convolution(kConvolution);
  std::vector<float> got;

  std::thread([&] {
    got = all_results(*backend, *op, kConvolution.x, kConvolution.y(), kConvolution.weight_floats(),
                      static_cast<std::size_t>(kConvolution.channels), 0);
  }).join();

  CHECK(got == want);
}

TEST_CASE("two threads compute what one computes, but for rounding") {
  const auto one = backend_under_test(1);
  const auto two = backend_under_test(2);

  for (const auto& layer : {convolution, fully_connected}) {
    const std::vector<float> a = layer(*one, 0);
    const std::vector<float> b = layer(*two, 0);
    CHECK(reference::relative_error(b, std::vector<double>(a.begin(), a.end())) < 1e-6);
  }
}
