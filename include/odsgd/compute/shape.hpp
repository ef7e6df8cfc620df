#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace odsgd {

/// A batch of images or of feature vectors: n samples of c channels, h rows and w columns.
/// A feature vector has h = w = 1.
struct TensorShape {
  int n = 0;
  int c = 0;
  int h = 1;
  int w = 1;

  std::size_t sample_floats() const;  ///< c * h * w
  std::size_t floats() const;         ///< n * c * h * w
  std::string text() const;           ///< "64x20x12x12"
  bool operator==(const TensorShape&) const = default;
};

/// A range of floats in the memory of a device; owned elsewhere. On a CPU it is host memory, on
/// other devices the host must not dereference it.
using View = std::span<float>;
using ConstView = std::span<const float>;

/// Places where a window of `kernel` fits into `input + 2 padding` when it moves by `stride`:
/// (input + 2 padding - kernel) / stride + 1, rounded down; 0 when it does not fit.
int window_count(int input, int kernel, int stride, int padding);

/// Floating-point operations of a forward pass whose weights are each used once at every place of
/// y, in each sample; a multiply-add is two. Of a convolution 2 K C R R P Q N.
double forward_flops(std::size_t weight_floats, const TensorShape& y);

/// Convolution with square kernels: x (N, C, H, W), w (K, C, R, R), bias (K), y (N, K, P, Q).
struct ConvolutionShape {
  TensorShape x;
  int channels = 0;  ///< K
  int kernel = 0;    ///< R
  int stride = 1;
  int padding = 0;  ///< zeros around every side

  TensorShape y() const;
  std::size_t weight_floats() const;
  double forward_flops() const { return odsgd::forward_flops(weight_floats(), y()); }
};

enum class PoolingKind { kMax, kAverage };

/// Pooling over square windows, without padding: x (N, C, H, W), y (N, C, P, Q). Where a last
/// window does not fit whole it is left out.
struct PoolingShape {
  PoolingKind kind = PoolingKind::kMax;
  TensorShape x;
  int kernel = 0;
  int stride = 1;

  TensorShape y() const;
};

/// y = x w^T + bias: x (N, C, H, W) read as (N, C*H*W) in this order, w (outputs, C*H*W),
/// y (N, outputs).
struct FullyConnectedShape {
  TensorShape x;
  int outputs = 0;

  TensorShape y() const { return {.n = x.n, .c = outputs, .h = 1, .w = 1}; }
  std::size_t weight_floats() const;
  double forward_flops() const { return odsgd::forward_flops(weight_floats(), y()); }
};

}  // namespace odsgd
