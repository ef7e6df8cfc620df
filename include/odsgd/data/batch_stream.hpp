#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "odsgd/base/aligned_buffer.hpp"
#include "odsgd/data/dataset.hpp"

namespace odsgd {

/// Samples as a network takes them.
struct Batch {
  /// Room for `capacity` samples of a data set.
  Batch(const DatasetInfo& info, std::size_t capacity);

  AlignedBuffer<float> images;       ///< (capacity, C, H, W): (x / 255 - mean) / std, per channel
  std::vector<std::int32_t> labels;  ///< (capacity)
  std::size_t count = 0;             ///< samples it holds, from the front
};

/// Fills the front of `batch` with these samples of the split; the rest keeps what it held.
void fill_batch(const DatasetInfo& info, const Split& split, std::span<const std::uint32_t> samples,
                Batch& batch);

/// Which batches a stream yields.
struct BatchPlan {
  int worker = 0;
  int workers = 1;
  int batch_per_worker = 1;
  std::uint64_t seed = 0;
  std::size_t first_step = 0;
  std::size_t total_steps = 0;  ///< the stream ends before this step
};

/// One worker's training batches, step after step and epoch after epoch, prepared ahead on a thread
/// of its own.
///
/// The values depend on the plan alone. Two batches exist, and nothing is allocated in the steady
/// state but the order of each epoch. Threads: one consumer.
class BatchStream {
 public:
  /// The data must outlive the stream.
  BatchStream(const Dataset& data, const BatchPlan& plan);
  ~BatchStream();
  BatchStream(const BatchStream&) = delete;
  BatchStream& operator=(const BatchStream&) = delete;

  /// The next step's batch, valid until the next call. Throws Error past the last one, and what
  /// went wrong on the thread.
  const Batch& next();

 private:
  void prepare_all();

  const Dataset& data_;
  BatchPlan plan_;
  std::array<Batch, 2> batches_;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::size_t prepared_;  // steps whose batch is filled, counted from step 0
  std::size_t taken_;     // steps handed out; the batch of step taken_ - 1 is in use
  bool is_stopping_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace odsgd
