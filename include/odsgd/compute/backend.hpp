#pragma once

#include <cstddef>
#include <cstdint>
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
  virtual std::unique_ptr<LossOp> softmax_cross_entropy(const LossShape& shape) = 0;
};

/// Which device, and how it is opened.
struct DeviceOptions {
  std::string name = "cpu";
  int threads = 1;  ///< that compute; 1 or more

  // The rest is for the device "synthetic" alone. Step t of a worker, forward and backward, takes
  // compute_ms (1 + jitter_percent / 100 u) milliseconds, u uniform in [-1, 1), a function of
  // (seed, worker, t).
  double compute_ms = 0;
  double jitter_percent = 0;
  std::uint64_t seed = 1;
  int worker = 0;
};

/// Opens a device. Throws Error on an unknown name, and on a device that this program was built
/// without.
std::unique_ptr<Backend> make_backend(const DeviceOptions& options);

/// The devices that this program was built with, for the command line.
std::vector<std::string> backend_names();

/// Whether a device only takes the time of computing: a run on it is a benchmark of the exchange,
/// and no training.
bool is_pretend_device(const std::string& name);

}  // namespace odsgd
