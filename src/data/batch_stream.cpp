#include "odsgd/data/batch_stream.hpp"

#include <optional>

#include "odsgd/base/error.hpp"
#include "odsgd/data/sampling.hpp"

namespace odsgd {

Batch::Batch(const DatasetInfo& info, std::size_t capacity)
    : images(capacity * info.image_size()), labels(capacity) {}

void fill_batch(const DatasetInfo& info, const Split& split, std::span<const std::uint32_t> samples,
                Batch& batch) {
  ODSGD_REQUIRE(samples.size() <= batch.labels.size(), "batch: got {} samples, want at most {}",
                samples.size(), batch.labels.size());
  const std::size_t pixels =
      static_cast<std::size_t>(info.height) * static_cast<std::size_t>(info.width);
  float* out = batch.images.data();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t sample = samples[i];
    const std::uint8_t* in = split.images.data() + sample * info.image_size();
    for (std::size_t c = 0; c < info.mean.size(); ++c) {
      const float scale = 1.0F / (255.0F * info.std[c]);
      const float shift = -info.mean[c] / info.std[c];
      for (std::size_t p = 0; p < pixels; ++p) out[p] = static_cast<float>(in[p]) * scale + shift;
      in += pixels;
      out += pixels;
    }
    batch.labels[i] = split.labels[sample];
  }
  batch.count = samples.size();
}

BatchStream::BatchStream(const Dataset& data, const BatchPlan& plan)
    : data_(data),
      plan_(plan),
      batches_{Batch(data.info(), static_cast<std::size_t>(plan.batch_per_worker)),
               Batch(data.info(), static_cast<std::size_t>(plan.batch_per_worker))},
      prepared_(plan.first_step),
      taken_(plan.first_step),
      thread_([this] { prepare_all(); }) {}

BatchStream::~BatchStream() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

const Batch& BatchStream::next() {
  std::unique_lock lock(mutex_);
  ODSGD_REQUIRE(taken_ < plan_.total_steps, "batches: step {} is past the last one, {}", taken_,
                plan_.total_steps);
  const std::size_t step = taken_++;  // gives the batch of step - 1 back
  changed_.notify_all();
  changed_.wait(lock, [&] { return error_ || prepared_ > step; });
  if (error_) std::rethrow_exception(error_);
  return batches_[step % batches_.size()];
}

void BatchStream::prepare_all() {
  try {
    const Split split = data_.train();
    const std::size_t epoch_steps =
        steps_per_epoch(split.count, plan_.batch_per_worker, plan_.workers);
    std::optional<EpochOrder> order;
    for (std::size_t step = plan_.first_step; step < plan_.total_steps; ++step) {
      if (!order || step % epoch_steps == 0)
        order.emplace(split.count, plan_.seed, step / epoch_steps);
      {
        // The consumer holds the batch of step taken_ - 1; that of step - 2 has been given back
        // once step <= taken_.
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_stopping_ || step <= taken_; });
        if (is_stopping_) return;
      }
      fill_batch(
          data_.info(), split,
          order->batch(step % epoch_steps, plan_.worker, plan_.workers, plan_.batch_per_worker),
          batches_[step % batches_.size()]);
      const std::lock_guard lock(mutex_);
      prepared_ = step + 1;
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
    changed_.notify_all();
  }
}

}  // namespace odsgd
