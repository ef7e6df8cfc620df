#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "odsgd/compute/buffer.hpp"
#include "odsgd/compute/layer_op.hpp"
#include "odsgd/compute/loss_op.hpp"
#include "odsgd/compute/shape.hpp"

namespace odsgd {

/// A device, as one rank uses it: its memory, and the layers prepared for it.
///
/// Several backends may live in one process and compute at the same time in different threads; they
/// share nothing that changes. A backend is used by one thread at a time. Buffers and ops must not
/// outlive the backend that made them. Makers of ops throw Error when a shape does not fit.
class Backend {
 public:
  virtual ~Backend() = default;

  /// One line for people: device, library, threads.
  virtual std::string description() const = 0;

  /// Zeroed memory of the device.
  virtual Buffer allocate(std::size_t floats) = 0;

  /// Room for the device's copy of host floats; empty where ops read and write host memory.
  virtual Buffer allocate_copy(std::size_t floats) = 0;

  /// What ops read to see `host`: `copy`, now filled, or `host` itself where there is no copy.
  virtual ConstView upload(std::span<const float> host, View copy) = 0;

  /// What ops write so that download() brings it into `host`: `copy`, or `host` itself.
  virtual View destination(std::span<float> host, View copy) = 0;

  /// Waits until ops have written `copy` and brings it into `host`.
  virtual void download(ConstView copy, std::span<float> host) = 0;

  virtual std::unique_ptr<LayerOp> convolution(const ConvolutionShape& shape) = 0;
  virtual std::unique_ptr<LayerOp> fully_connected(const FullyConnectedShape& shape) = 0;
  virtual std::unique_ptr<LayerOp> pooling(const PoolingShape& shape) = 0;
  virtual std::unique_ptr<LayerOp> relu(const TensorShape& shape) = 0;
  virtual std::unique_ptr<LayoutOp> layout(const TensorShape& shape) = 0;
  virtual std::unique_ptr<LossOp> softmax_cross_entropy(int batch, int classes) = 0;
};

/// Opens a device by its name; `threads` (1 or more) are for computing. Throws Error on an unknown
/// name, and on a device that this program was built without.
std::unique_ptr<Backend> make_backend(const std::string& device, int threads);

/// The devices that this program was built with, for the command line.
std::vector<std::string> backend_names();

}  // namespace odsgd
